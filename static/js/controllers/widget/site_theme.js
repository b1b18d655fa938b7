/** The appearance that the website's tag sets, from the URL fragment, which is not sent to the server. */
export function applySiteTheme() {
  const wanted = new URLSearchParams(location.hash.slice(1));
  const { style, dataset } = document.documentElement;
  const theme = wanted.get("theme") ?? "";
  if (theme === "light" || theme === "dark") dataset.theme = theme;
  style.setProperty("--brand", wanted.get("color") || null);
}
