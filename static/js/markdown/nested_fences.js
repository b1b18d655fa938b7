/**
 * Code in a block of Markdown. Models that are asked for a README put its code between the same fences as the whole,
 * where CommonMark ends the block at the first closing fence. Here a fence with a language opens a nested one.
 */

const OPENING = /^ {0,3}(`{3,}|~{3,})[ \t]*(?:markdown|md|mdx|prompt)\b[^`\n]*(?:\n|$)/i;
const FENCE = /^[ \t]*(`{3,}|~{3,})[ \t]*([^`\n]*)$/gm;
/** A longer block is read as CommonMark says. */
const MAX_LENGTH = 50_000;

/**
 * Return a block of Markdown that has nested ones: as it is written, and with fences that nothing in it closes. Return
 * null for any other block, "unclosed" for one without an end.
 * @param {string} source
 * @param {boolean} isOpen whether the text may still grow, so that an end may follow
 */
export function blockWithNested(source, isOpen) {
  const opening = OPENING.exec(source);
  if (!opening) return null;
  const near = source.slice(0, MAX_LENGTH);
  const end = closing(near, opening);
  if (!end) return null;
  if (end.isMissing && !(isOpen && near === source)) return "unclosed";
  const fence = opening[1][0].repeat(1 + longestFence(near));
  const head = opening[0].replace(opening[1], fence);
  const text = head + near.slice(opening[0].length, end.start) + (end.isMissing ? "" : fence);
  return { raw: source.slice(0, end.after), text };
}

/**
 * Return where the line that closes a block starts and ends; null if the block has no nested ones.
 * @param {string} text
 * @param {RegExpExecArray} opening
 */
function closing(text, opening) {
  let nested = "";
  let hasNested = false;
  for (const { 0: line, 1: fence, 2: info, index } of text.matchAll(FENCE)) {
    if (index < opening[0].length) continue;
    const isBare = !info.trim();
    if (nested) {
      if (isBare && fence.startsWith(nested)) nested = "";
    } else if (!isBare) {
      nested = fence;
      hasNested = true;
    } else if (fence.startsWith(opening[1])) {
      return hasNested ? { start: index, after: index + line.length, isMissing: false } : null;
    }
  }
  return hasNested ? { start: text.length, after: text.length, isMissing: true } : null;
}

/** @param {string} text */
function longestFence(text) {
  return Math.max(...Array.from(text.matchAll(FENCE), ({ 1: fence }) => fence.length));
}
