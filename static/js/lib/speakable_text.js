/**
 * Convert Markdown to text for reading aloud, without markup. It need not be exact, only never worse to listen to than
 * the markup.
 */

export const FENCE = /^[\s>]*(`{3,}|~{3,})/; // in a list or a quotation too

/** Matches are bounded in length, because a line may have a hundred thousand markers. @type {[RegExp, string][]} */
const IN_A_LINE = [
  [/^ {0,3}#{1,6}\s{1,9}(.{0,500}?)\s{0,9}#*$/, "$1"],
  [/^(?:\s*>)+\s?/, ""],
  [/^\s*[-*+]\s+(?:\[[ xX]\]\s+)?/, ""],
  [/!?\[([^\]]{0,500})\]\([^)\s]{0,500}(?:\s{1,9}"[^"]{0,500}")?\)/g, "$1"],
  [/<((?:https?|mailto):[^>\s]{1,500})>/g, "$1"],
  [/<\/?[a-z][^>]{0,500}>/gi, " "],
  [/(\*\*|__|~~)(?=\S)(.{0,500}?\S)\1/g, "$2"],
  [/(^|[\s(])([*_])(?=\S)(.{0,500}?\S)\2(?=[\s).,;:!?]|$)/g, "$1$3"],
  [/`{1,9}([^`]+)`{1,9}/g, "$1"],
  [/\\([!-/:-@[-`{-~])/g, "$1"],
];
const RULE = /^\s*(?:[-*_]\s*){3,}$|^(?=.*--)[\s:|-]+$|^=+\s*$/;
const ROW = /^\s*\|(.*)\|\s*$/;

/** @param {string} markdown */
export function speakableText(markdown) {
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
