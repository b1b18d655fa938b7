const LONG_CHARS = 1500;
const LONG_LINES = 16;

/** Return a line, or as many of its words as fit: `cut_at_word` of chat/lib/text.py does the same. @param {string} line @param {number} length */
export function cutAtWord(line, length) {
  const characters = [...line];
  if (characters.length <= length) return line;
  const kept = characters.slice(0, length).join("");
  return `${kept.slice(0, Math.max(0, kept.lastIndexOf(" "))) || kept}…`;
}

/** Return whether a question is folded: `is_long` of chat/templatetags/turns.py says the same. @param {string} text */
export function isLong(text) {
  return text.length > LONG_CHARS || text.trimEnd().split("\n").length > LONG_LINES;
}
