/**
 * Apply a theme in the same way as the server renders it.
 * @param {string} theme system, light or dark
 */
export function showTheme(theme) {
  document.documentElement.dataset.theme = theme;
  const scheme = document.querySelector("meta[name=color-scheme]");
  scheme?.setAttribute("content", theme === "system" ? "light dark" : theme);
  const { backgroundColor } = getComputedStyle(document.documentElement);
  for (const meta of document.querySelectorAll("meta[name=theme-color]")) {
    meta.removeAttribute("media");
    meta.setAttribute("content", backgroundColor);
  }
}
