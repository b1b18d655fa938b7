/** Quote text in a message, with a mark before each line. Pure. */

/** @param {string} text */
export function blockQuote(text) {
  const lines = text.replace(/\r\n?/g, "\n").trim().split("\n");
  return `${lines.map((line) => `> ${line}`.trimEnd()).join("\n")}\n\n`;
}
