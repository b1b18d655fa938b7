/** The look that the website's tag asks for; it comes in the fragment of the frame's address, which no server sees. */
export function applySiteTheme() {
  const wanted = new URLSearchParams(location.hash.slice(1));
  const { style, dataset } = document.documentElement;
  const theme = wanted.get("theme") ?? "";
  if (theme === "light" || theme === "dark") dataset.theme = theme;
  style.setProperty("--brand", wanted.get("color") || null);
}
