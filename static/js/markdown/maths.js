/**
 * Formulas in Markdown: `$$…$$`, `\[…\]`, `\(…\)` and `$…$`. A formula contains no blank line, so an unclosed one
 * affects at most a paragraph.
 *
 * A single dollar may be an amount of money. As in Pandoc, no blank follows the opening dollar and none precedes the
 * closing one, which no digit follows. Besides, `US$5` opens nothing, and a number before a word is a price.
 *
 * While text is streamed, an unclosed formula at the end already counts as one: otherwise its lines would be parsed as
 * lists and rules.
 */

import { MAX_BLOCK_FORMULA_LENGTH, searchInParagraph } from "./limits.js";

const PAIRS = new Map([["$$", "$$"], ["\\[", "\\]"], ["\\(", "\\)"]]); // prettier-ignore
const OPENING = /^ {0,3}(\$\$|\\\[)/;
const LINE_WITH_OPENING = /\n {0,3}(?:\$\$|\\\[)/;
const BLANK_LINE = /\n[ \t]*\n/;
const REST_OF_LINE = /[ \t]*(?:\n|$)/y;
/** What single dollars enclose. Its alternatives exclude each other, so matching takes linear time. */
const IN_DOLLARS = /\$(?![\s$])((?:\\.|[^$\\`])+)(?<!\s)\$(?![\dA-Z_$])/ys;
/** What may not precede an opening dollar: `US$`, `$$`, `\$`. */
const BEFORE_NO_FORMULA = /[\w$\\]$/;
const PRICE = /^\d[\d.,]*\S?[\s/]+\p{L}{2}/u;
const WHOLE =
  /\\\((?:(?!\\\)).)+\\\)|\\\[(?:(?!\\\]).)+\\\]|\$\$(?:(?!\$\$).)+\$\$|(?<![\w$\\])\$(?![\s$])(?:\\.|[^$\\`])+(?<!\s)\$(?![\dA-Z_$])/gs;
const BAR_IN_A_ROW = /[\\$].*\|/;
const SAYS_SOMETHING = /[\p{L}\p{N}]/u;
/** Brackets are escaped in prose as well: "\[1\]". */
const LOOKS_LIKE_MATHS = /[\\^_=]/;

/**
 * @typedef {{type: "maths", raw: string, text: string, isDisplay: boolean}} Maths
 * @typedef {{lexer: {isOpen: boolean, isNested: boolean}}} Place
 */

/**
 * Match a block formula.
 * @this {Place}
 * @param {string} source
 * @returns {Maths | undefined}
 */
export function blockMaths(source) {
  const opening = OPENING.exec(source);
  if (!opening) return;
  const begin = opening[0].length;
  const closing = /** @type {string} */ (PAIRS.get(opening[1]));
  const near = source.slice(0, MAX_BLOCK_FORMULA_LENGTH);
  const blank = near.search(BLANK_LINE);
  const end = near.slice(0, blank < 0 ? undefined : blank).indexOf(closing, begin);
  if (end < 0) {
    const isPending = blank < 0 && near === source && this.lexer.isOpen && !this.lexer.isNested;
    return isPending ? maths(source, source.slice(begin), true) : undefined;
  }
  REST_OF_LINE.lastIndex = end + closing.length;
  const rest = REST_OF_LINE.exec(source);
  if (rest) return maths(source.slice(0, REST_OF_LINE.lastIndex), source.slice(begin, end), true);
}

/** Return where in a paragraph a block formula may start. @param {string} source */
export function startOfBlockMaths(source) {
  return searchInParagraph(source, LINE_WITH_OPENING) + 1 || undefined;
}

/**
 * Match an inline formula.
 * @this {Place}
 * @param {string} source
 * @param {{raw: string}[]} before the tokens before it
 * @returns {Maths | undefined}
 */
export function inlineMaths(source, before) {
  const opening = source.slice(0, 2);
  if (opening[0] === "$" && opening !== "$$") return dollarMaths(source, before.at(-1)?.raw ?? "");
  const closing = PAIRS.get(opening);
  if (!closing) return;
  const end = source.indexOf(closing, 2);
  const isDisplay = opening !== "\\(";
  if (end > 0) {
    const formula = source.slice(2, end);
    if (opening === "\\[" && !LOOKS_LIKE_MATHS.test(formula)) return;
    return maths(source.slice(0, end + 2), formula, isDisplay);
  }
  return this.lexer.isOpen && opening !== "\\[" ? maths(source, source.slice(2), isDisplay) : undefined;
}

/** @param {string} source @param {string} before @returns {Maths | undefined} */
function dollarMaths(source, before) {
  if (BEFORE_NO_FORMULA.test(before.slice(-1))) return;
  IN_DOLLARS.lastIndex = 0;
  const found = IN_DOLLARS.exec(source);
  if (found && !isPrice(found[1])) return maths(found[0], found[1], false);
}

/** @param {string} formula */
function isPrice(formula) {
  return PRICE.test(formula) && !LOOKS_LIKE_MATHS.test(formula);
}

/** @param {string} source */
export function startOfInlineMaths(source) {
  const at = source.indexOf("$");
  return at < 0 ? undefined : at;
}

/**
 * Mask formulas, so that no emphasis starts or ends in one.
 * @param {string} masked the source, in which marked has masked other things
 * @param {string} source of the same length
 */
export function maskMaths(masked, source) {
  if (!source.includes("\\") && !source.includes("$")) return masked;
  for (const { 0: formula, index } of source.matchAll(WHOLE)) {
    if (/^\$[^$]/.test(formula) && isPrice(formula.slice(1))) continue;
    const cover = `[${"a".repeat(formula.length - 2)}]`;
    masked = masked.slice(0, index) + cover + masked.slice(index + formula.length);
  }
  return masked;
}

/** Escape the bars of formulas in the rows of a table, where they would end a cell. @param {string} rows */
export function escapeBars(rows) {
  return rows.split("\n").map((row) => (BAR_IN_A_ROW.test(row) ? row.replace(WHOLE, escapedBars) : row)).join("\n");
}

/** @param {string} formula */
function escapedBars(formula) {
  return /^\$[^$]/.test(formula) && isPrice(formula.slice(1)) ? formula : formula.replace(/(?<!\\)\|/g, "\\|");
}

/**
 * @param {string} raw
 * @param {string} text
 * @param {boolean} isDisplay
 * @returns {Maths | undefined}
 */
function maths(raw, text, isDisplay) {
  return SAYS_SOMETHING.test(text) ? { type: "maths", raw, text: text.trim(), isDisplay } : undefined;
}
