/**
 * Whether `text` contains every word of `query`, ignoring case and accents.
 * @param {string} query
 * @param {string} text
 */
export function matchesWords(query, text) {
  const plain = bare(text);
  return bare(query).split(/\s+/).every((word) => plain.includes(word));
}

/** @param {string} text */
function bare(text) {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}
