/** Words of somebody else as they stand in a message: each line behind a mark. Pure. */

/** @param {string} text */
export function blockQuote(text) {
  const lines = text.replace(/\r\n?/g, "\n").trim().split("\n");
  return `${lines.map((line) => `> ${line}`.trimEnd()).join("\n")}\n\n`;
}
