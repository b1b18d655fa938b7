/**
 * Load a style sheet that few visits need.
 * @param {string} name its name in the import map
 * @returns {Promise<unknown>} when it applies, or couldn't be loaded
 */
export function loadStyleSheet(name) {
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = import.meta.resolve(name);
  document.head.append(link);
  return new Promise((resolve) => {
    link.onload = link.onerror = resolve;
  });
}
