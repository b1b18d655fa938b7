/**
 * How much is formatted. Beyond these bounds text is shown as it is: what is nested deeper than anybody writes, and
 * lines in which looking for the ends of emphasis and links would take longer than a frame.
 */

export const DEEPEST_BLOCKS = 16;
export const DEEPEST_SPANS = 12;
/** A longer list is shown as several, so that of one that grows and grows only the end is read again. */
export const LONGEST_LIST = 100;
export const WIDEST_TABLE_ROW = 5_000;
export const LONGEST_CODE_TO_HIGHLIGHT = 20_000;
export const LONGEST_FORMULA = 5_000;

const LONGEST_LINE = 50_000;
/** Every opening marker may be looked for an end up to the end of the text: their product is the work. */
const MOST_WORK = 4_000_000;
const OPENERS = /[*_~`[<\\$&]/g;

/** Whether to format this much text would take too long. @param {string} text of one paragraph, heading or cell */
export function isTangled(text) {
  if (text.length < 1000) return false;
  if (text.length > LONGEST_LINE) return true;
  return (text.match(OPENERS)?.length ?? 0) * text.length > MOST_WORK;
}
