/**
 * Markdown as one would read it aloud: the words without the marks. It need not be exact, only never worse
 * to hear than the marks would be.
 */

export const FENCE = /^[\s>]*(`{3,}|~{3,})/; // in a list or a quotation too

/** @type {[RegExp, string][]} */
const IN_A_LINE = [
  [/^ {0,3}#{1,6}\s+(.*?)\s*#*$/, "$1"],
  [/^(?:\s*>)+\s?/, ""],
  [/^\s*[-*+]\s+(?:\[[ xX]\]\s+)?/, ""],
  [/!?\[([^\]]*)\]\([^)\s]*(?:\s+"[^"]*")?\)/g, "$1"],
  [/<((?:https?|mailto):[^>\s]+)>/g, "$1"],
  [/<\/?[a-z][^>]*>/gi, " "],
  [/(\*\*|__|~~)(?=\S)(.*?\S)\1/g, "$2"],
  [/(^|[\s(])([*_])(?=\S)(.*?\S)\2(?=[\s).,;:!?]|$)/g, "$1$3"],
  [/`+([^`]+)`+/g, "$1"],
  [/\\([!-/:-@[-`{-~])/g, "$1"],
];
const RULE = /^\s*(?:[-*_]\s*){3,}$|^\s*\|?[\s:|-]*-{2,}[\s:|-]*\|?\s*$|^=+\s*$/;
const ROW = /^\s*\|(.*)\|\s*$/;

/** @param {string} markdown */
export function spoken(markdown) {
  const lines = [];
  let fence = "";
  for (const line of markdown.split("\n")) {
    const mark = line.match(FENCE)?.[1] ?? "";
    if (fence ? mark.startsWith(fence) : mark) fence = fence ? "" : mark;
    else if (fence) lines.push(line);
    else lines.push(spokenLine(line));
  }
  return lines.filter((line) => line.trim()).join("\n");
}

/** @param {string} line */
function spokenLine(line) {
  if (RULE.test(line)) return "";
  const cells = line.match(ROW)?.[1].split("|").map((cell) => cell.trim()).join(", ");
  return IN_A_LINE.reduce((text, [marks, words]) => text.replace(marks, words), cells ?? line);
}
