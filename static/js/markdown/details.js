/**
 * Sections that fold: `<details>` and `<summary>`, the only HTML besides line breaks and keys that is not shown as text.
 * They have no attributes and begin a line.
 */

import { MAX_DETAILS_LENGTH, MAX_DETAILS_TAGS } from "./limits.js";

const OPENING = /^ {0,3}<details>[ \t]*(?:\n|$|(?=<summary>))/i;
const SUMMARY = /^\s*<summary>/i;
const SUMMARY_END = /<\/summary>[ \t]*\n?/i;
const MAX_SUMMARY_LENGTH = 500;
/** A fence, an opening at the start of a line, a closing. */
const MARKS = /^ {0,3}(?:(`{3,}|~{3,})|(<details>))|(?<!`)<\/details>/gim;
const REST_OF_LINE = /[ \t]*(?:\n|$)/y;

/**
 * @typedef {import("./tokens.js").MarkedTokens} MarkedTokens
 * @typedef {{type: "details", raw: string, summary: MarkedTokens, tokens: MarkedTokens}} Details
 */

/**
 * Match a section. Without an end it goes on to the end of the text.
 * @this {{lexer: import("./lexer.js").MarkdownLexer}}
 * @param {string} source
 * @returns {Details | undefined}
 */
export function blockDetails(source) {
  const opening = OPENING.exec(source);
  const extent = opening && extentOf(source, opening[0].length);
  if (!extent) return;
  const { summary, rest } = split(source.slice(opening[0].length, extent.inner), this.lexer.isGrowing);
  const tokens = this.lexer.nested(rest);
  if (!tokens) return;
  return { type: "details", raw: source.slice(0, extent.outer), summary: this.lexer.inline(summary), tokens };
}

/**
 * Return where the content and the whole of a section end; null if that is too far away.
 * @param {string} source
 * @param {number} start of the content
 */
function extentOf(source, start) {
  const near = source.slice(0, MAX_DETAILS_LENGTH);
  let depth = 1;
  let fence = "";
  let tags = 0;
  MARKS.lastIndex = start;
  for (let mark; (mark = MARKS.exec(near)); ) {
    const [tag, ticks, opens] = mark;
    if (++tags > MAX_DETAILS_TAGS) return null;
    if (fence) {
      if (ticks?.startsWith(fence)) fence = "";
    } else if (ticks) fence = ticks;
    else if (opens) depth++;
    else if (--depth === 0) {
      REST_OF_LINE.lastIndex = mark.index + tag.length;
      const outer = REST_OF_LINE.test(source) ? REST_OF_LINE.lastIndex : mark.index + tag.length;
      return { inner: mark.index, outer };
    }
  }
  return source.length <= MAX_DETAILS_LENGTH ? { inner: source.length, outer: source.length } : null;
}

/**
 * Split a section's content into its summary and the rest.
 * @param {string} content
 * @param {boolean} isGrowing
 */
function split(content, isGrowing) {
  const begin = SUMMARY.exec(content)?.[0].length;
  if (!begin) return { summary: "", rest: content };
  const end = SUMMARY_END.exec(content.slice(begin, begin + MAX_SUMMARY_LENGTH));
  if (end) {
    const after = begin + end.index + end[0].length;
    return { summary: content.slice(begin, begin + end.index).trim(), rest: content.slice(after) };
  }
  const isBeingWritten = isGrowing && !content.includes("\n", begin);
  return isBeingWritten ? { summary: content.slice(begin), rest: "" } : { summary: "", rest: content };
}
