const LONG_CHARS = 1500;
const LONG_LINES = 16;

/** Return whether a question is folded: `is_long` of chat/templatetags/turns.py says the same. @param {string} text */
export function isLong(text) {
  return text.length > LONG_CHARS || text.trimEnd().split("\n").length > LONG_LINES;
}
