/** Split text into sentences that are read aloud one by one. */

/** The server reads no more at once: MAX_SENTENCE_CHARS in chat/web/voice/views.py. */
export const MAX_SENTENCE_LENGTH = 1000;

const SPEAKABLE = /[\p{L}\p{N}]/u;
/** For browsers without `Intl.Segmenter`: up to a full stop before a space, or one of a script without spaces. */
const SENTENCE = /[^\n]*?(?:(?<![.!?…])[.!?…]+["'”’»)\]]*(?=\s|$)|[。！？]+[」』”’）]*|(?=\n)|$)/gu;

/** @typedef {[start: number, end: number]} Place in the text */

/**
 * Return where the sentences are, without the space around them and without those that have nothing to say. A line break
 * ends a sentence. Very long ones are split, if possible between words.
 * @param {string} text
 * @param {string} language whose abbreviations are known
 * @param {typeof Intl.Segmenter | null} [Segmenter]
 * @returns {Generator<Place>}
 */
export function* sentencesIn(text, language, Segmenter = Intl.Segmenter) {
  for (const [start, end] of Segmenter ? segments(text, language, Segmenter) : guesses(text)) {
    for (let at = start; at < end; ) {
      const next = endOfPiece(text, at, end);
      const piece = text.slice(at, next);
      const from = at + piece.length - piece.trimStart().length;
      if (SPEAKABLE.test(piece)) yield [from, from + piece.trim().length];
      at = next;
    }
  }
}

/** @param {string} text @param {string} language @param {typeof Intl.Segmenter} Segmenter @returns {Generator<Place>} */
function* segments(text, language, Segmenter) {
  for (const { index, segment } of new Segmenter(language, { granularity: "sentence" }).segment(text)) {
    yield [index, index + segment.length];
  }
}

/** @param {string} text @returns {Generator<Place>} */
function* guesses(text) {
  for (const { 0: found, index } of text.matchAll(SENTENCE)) if (found) yield [index, index + found.length];
}

/** @param {string} text @param {number} start @param {number} end */
function endOfPiece(text, start, end) {
  if (end - start <= MAX_SENTENCE_LENGTH) return end;
  const longest = text.slice(start, start + MAX_SENTENCE_LENGTH);
  const space = longest.search(/\s\S*$/);
  if (space > 0) return start + space;
  const isHalf = /[\uD800-\uDBFF]$/.test(longest);
  return start + longest.length - (isHalf ? 1 : 0);
}
