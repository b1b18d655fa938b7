/**
 * Apply the appearance that the website's tag sets, from the URL fragment, which is not sent to the server. It comes
 * before what the site's owner chose, which the page has as attributes.
 * @returns {{isInline: boolean}} whether the chat is in an element of the page, where it cannot be closed
 */
export function applySiteTheme() {
  const wanted = new URLSearchParams(location.hash.slice(1));
  const { style, dataset } = document.documentElement;
  const theme = wanted.get("theme") ?? "";
  if (theme === "light" || theme === "dark") dataset.theme = theme;
  style.setProperty("--brand", wanted.get("color") || dataset.color || null);
  if (wanted.get("header")) dataset.header = wanted.get("header") ?? "";
  return { isInline: wanted.has("inline") };
}
