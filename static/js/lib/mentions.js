/** Which names complete what a note says after "@". */

const MOST_CHARS = 60;
const MOST_SHOWN = 8;

/**
 * @param {string} text
 * @param {number} caret
 * @returns {{ start: number, query: string } | null} where the name begins, and what of it is there
 */
export function mentionAt(text, caret) {
  const start = text.lastIndexOf("@", caret - 1) + 1;
  if (!start || caret - start > MOST_CHARS) return null;
  const query = text.slice(start, caret);
  const isInWord = /[\p{L}\p{N}_]/u.test(text.charAt(start - 2));
  return isInWord || /^\s|\n/u.test(query) ? null : { start, query };
}

/**
 * @param {string[]} names
 * @param {string} query
 */
export function matchingNames(names, query) {
  const wanted = query.toLowerCase();
  const isMatch = (/** @type {string} */ name) => {
    const text = name.toLowerCase();
    return text !== wanted && (text.startsWith(wanted) || text.includes(` ${wanted}`));
  };
  return names.filter(isMatch).slice(0, MOST_SHOWN);
}
