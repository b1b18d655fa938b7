/** Read comma-separated values (RFC 4180), with as many rows and columns as a page can show. Pure. */

export const MAX_ROWS = 200;
const MAX_COLUMNS = 30;
const MAX_CELL_LENGTH = 500;
const SEPARATORS = [",", ";", "\t"];
const QUOTED = /"((?:[^"]|"")*)"/y;

/**
 * @param {string} source
 * @param {string} [separator] found out if it is not given
 * @returns {{rows: string[][], count: number}} the first rows, the header among them, and the number of all
 */
export function parseCsv(source, separator) {
  const text = source.replace(/\r\n?/g, "\n").replace(/\n+$/, "");
  const by = separator ?? mostFrequent(text.slice(0, 2000).split("\n", 1)[0]);
  const plain = new RegExp(`[^\\n${by}]*`, "y");
  /** @type {string[][]} */
  const rows = [];
  let count = 0;
  for (let at = 0; at < text.length; count++) {
    /** @type {string[]} */
    const row = [];
    for (let isOpen = true; isOpen; ) {
      const { value, end } = cell(text, at, by, plain);
      if (row.length < MAX_COLUMNS) row.push(value.slice(0, MAX_CELL_LENGTH));
      isOpen = text[end] === by;
      at = end + 1;
    }
    if (rows.length <= MAX_ROWS) rows.push(row);
  }
  return { rows, count };
}

/**
 * @param {string} text
 * @param {number} at
 * @param {string} separator
 * @param {RegExp} plain matches what has no quotes
 */
function cell(text, at, separator, plain) {
  QUOTED.lastIndex = plain.lastIndex = at;
  const found = QUOTED.exec(text);
  const next = text[QUOTED.lastIndex];
  const isWhole = found && (next === undefined || next === "\n" || next === separator);
  if (isWhole) return { value: found[1].replaceAll('""', '"'), end: QUOTED.lastIndex };
  const value = plain.exec(text)?.[0] ?? "";
  return { value: value.trim(), end: plain.lastIndex };
}

/** @param {string} line */
function mostFrequent(line) {
  const counts = SEPARATORS.map((each) => line.split(each).length);
  return SEPARATORS[counts.indexOf(Math.max(...counts))];
}
