/**
 * Divide text that browsers take minutes to lay out: the time grows with the square of the characters without a place
 * for a line break (of combining marks, Thai or Arabic letters), and with the square of the changes of direction in a
 * line. Nothing is left out. `chat/lib/breakable_text.py` does the same for what the server renders.
 */

/** Characters after which a line may be broken although nothing else allows it. No language has such words. */
export const MAX_RUN_LENGTH = 250;
/** Characters of a line that contains letters or controls of right-to-left text, beyond which another line begins. */
export const MAX_LINE_LENGTH = 5_000;

// The numbers are the limits above.
const LONG_RUN = /(?<![^ \n\t])[^ \n\t]{251,}/gu;
const PART_OF_RUN = /.{1,250}/gsu;
const LINE = /(?:[^\n]{4000,5000}(?<= )|[^\n]{1,5000})\n*|\n+/gu;
const LONG_LINE = /^[^\n]{5001}/mu;
const RIGHT_TO_LEFT = /[\u0590-\u08FF\u200F\u202A-\u202E\u2066-\u2069\uFB1D-\uFEFC\u{10800}-\u{1EFFF}]/u;

/** Return the lines, almost always one, each in parts between which it may be broken. @param {string} text */
export function breakable(text) {
  const lines = (hasLongLine(text) && text.match(LINE)) || [text];
  // A NUL divides the parts. One in the text, which shows nothing, does too.
  return lines.map((line) => line.replace(LONG_RUN, (run) => run.match(PART_OF_RUN)?.join("\0") ?? "").split("\0"));
}

/** Return whether a line is so long that it has to be divided. @param {string} text */
export function hasLongLine(text) {
  return text.length > MAX_LINE_LENGTH && LONG_LINE.test(text) && RIGHT_TO_LEFT.test(text);
}

/** Return whether more text has to be divided from this by a place where a line may be broken. @param {string} text */
export function endsInLongRun(text) {
  return text.length >= MAX_RUN_LENGTH && !/[ \n\t]/.test(text.slice(-MAX_RUN_LENGTH));
}
