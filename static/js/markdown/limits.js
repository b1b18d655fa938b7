/**
 * Limits of formatting. Beyond them, text is shown unformatted: deeper nesting than anyone writes, and lines in which
 * matching emphasis and links would take longer than a frame.
 */

export const MAX_BLOCK_DEPTH = 16;
export const MAX_SPAN_DEPTH = 12;
/** A longer list is split into several, so that only the end of a growing list is parsed again. */
export const MAX_LIST_ITEMS = 100;
/** A paragraph in a quote goes on in lines without its sign, at most so far below the last one that has it. */
export const MAX_LAZY_LENGTH = 2_000;
export const MAX_TABLE_ROW_LENGTH = 5_000;
/** Each line of a list item may begin a heading that is underlined further below. */
export const MAX_UNDERLINED_LENGTH = 1_000;
/** The end of a block of Markdown is looked for in vain at most so often. */
export const MAX_UNCLOSED_BLOCKS = 20;
/** A formula or footnote ends a paragraph if it is at most so far below its beginning. */
export const MAX_LENGTH_BEFORE_BLOCK = 5_000;
/** The host is shown beside a link with a longer label, in which nobody would find one. */
export const MAX_LABEL_LENGTH = 1_000;
export const MAX_HIGHLIGHTED_LENGTH = 20_000;
export const MAX_FORMULA_LENGTH = 5_000;
/** A longer formula isn't even recognized. */
export const MAX_BLOCK_FORMULA_LENGTH = 10_000;

export const MAX_NOTE_LENGTH = 5_000;
export const MAX_DETAILS_LENGTH = 20_000;
export const MAX_DETAILS_TAGS = 100;

const MAX_LINE_LENGTH = 50_000;
/** The parser may scan to the end of the text for each opening marker, so the work is the product of both. */
const MAX_WORK = 4_000_000;
const OPENERS = /[*_~`[<\\$&]/g;

/**
 * Return where a line of the first paragraph matches; -1 if none near the beginning does.
 * @param {string} source
 * @param {RegExp} line
 */
export function searchInParagraph(source, line) {
  const near = source.slice(0, MAX_LENGTH_BEFORE_BLOCK);
  const at = near.search(line);
  return at >= 0 && near.slice(0, at + 1).includes("\n\n") ? -1 : at;
}

/** Return whether formatting this text would take too long. @param {string} text of one paragraph, heading or cell */
export function isTooComplex(text) {
  if (text.length < 1000) return false;
  if (text.length > MAX_LINE_LENGTH) return true;
  return (text.match(OPENERS)?.length ?? 0) * text.length > MAX_WORK;
}
