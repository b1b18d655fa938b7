/**
 * Whether a text contains one of the phrases as whole words, whatever the case.
 * @param {string} text
 * @param {readonly string[]} phrases
 */
export function asksForPerson(text, phrases) {
  const words = ` ${normalized(text)} `;
  return phrases.map(normalized).some((phrase) => phrase && words.includes(` ${phrase} `));
}

/** @param {string} text */
function normalized(text) {
  return text.toLowerCase().split(/[^\p{L}\p{N}\p{M}]+/u).join(" ").trim();
}
