/**
 * Hold back ambiguous markup at the end of streamed text: `*` may start a list item or emphasis, `|` a table or be a
 * bar. It waits for the character that decides, so that nothing is shown and then withdrawn. At the end of the text,
 * everything is shown.
 */

/** A line that so far has only what may open a block, or make the previous line a heading. */
const OPENING_OF_A_LINE =
  /^[ \t>]*(?:[-+*_=~`#|: \t>]*|(?:[-+*]|\d{1,9}[.)]?)[ \t]*(?:\[[ xX]?\]?[ \t]*)?|(?:`{3,}|~{3,})[^`\n]*|\[[^\]\n]*\]:[^\n]*|<\/?[a-zA-Z]*)$/;
const FENCE_AT_THE_END = /(?:^|\n)[ \t>]*(?:`+|~+)[ \t]*$/;
const MAX_OPENING_LENGTH = 200;
/** The beginning of emphasis, code, a link, an escape, a reference, an address, a formula. */
const OPENING_OF_A_SPAN = /(?:[*_~`$]+|!?\[|!|\]|\\|&#?\w{0,31}|<[^\s<>]*|[ \t]{2,})$/;
const BARE_ROW = /^[ \t>]*\|/;
const RULE_OF_A_TABLE = /^[ \t>|:-]*$/;

/**
 * @param {string} text
 * @param {"" | "code" | "table"} place what the end was inside at the last parse
 * @returns {number} how many characters to hold back
 */
export function pendingLength(text, place) {
  const end = Math.max(text.lastIndexOf("\n"), 0);
  if (place === "code") return FENCE_AT_THE_END.exec(text.slice(end, end + MAX_OPENING_LENGTH))?.[0].length ?? 0;
  const line = text.slice(end).replace(/^\n/, "");
  const table = place === "table" ? 0 : beginningOfATable(text);
  if (table) return table;
  if (line && line.length < MAX_OPENING_LENGTH && OPENING_OF_A_LINE.test(line)) return line.length;
  return OPENING_OF_A_SPAN.exec(line.slice(-MAX_OPENING_LENGTH))?.[0].length ?? 0;
}

/** Return the length of a last paragraph that becomes a table if a delimiter row follows. @param {string} text */
function beginningOfATable(text) {
  const paragraph = text.slice(text.lastIndexOf("\n\n") + 1).replace(/^\n/, "");
  if (paragraph.length > 2000 || !paragraph.includes("|")) return 0;
  const lines = paragraph.split("\n");
  const first = lines.findIndex((line) => BARE_ROW.test(line));
  const rows = first < 0 ? [] : lines.slice(first);
  if (rows.length === 0 || rows.length > 2) return 0;
  if (rows.length === 2 && !RULE_OF_A_TABLE.test(rows[1])) return 0;
  return rows.join("\n").length;
}
