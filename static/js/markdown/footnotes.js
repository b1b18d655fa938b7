/**
 * Footnotes in Markdown: `[^1]` in the text, `[^1]: …` on a line of its own. A note stays where it was written, so it
 * needs no second pass. Its further paragraphs are indented.
 */

import { MAX_NOTE_LENGTH, searchInParagraph } from "./limits.js";

const LABEL = String.raw`\[\^([^\s[\]\\^]{1,40})\]`;
const DEFINITION = new RegExp(String.raw`^ {0,3}${LABEL}:[ \t]*`);
const LINE_WITH_DEFINITION = new RegExp(String.raw`\n {0,3}${LABEL}:`);
const REFERENCE = new RegExp(String.raw`^${LABEL}(?![:(])`);
const NEW_BLOCK = /^ {0,3}(?:#{1,6}[ \t]|`{3}|~{3}|>|\||[-+*][ \t]|\d{1,9}[.)][ \t]|<\/?details>)/;
const INDENT = /^(?: {4}|\t)/;
const INDENTS = /^(?: {1,4}|\t)/gm;

/**
 * @typedef {import("./tokens.js").MarkedTokens} MarkedTokens
 * @typedef {{type: "footnote", raw: string, label: string, tokens: MarkedTokens}} Footnote
 * @typedef {{type: "footnoteReference", raw: string, label: string}} FootnoteReference
 * @typedef {{lexer: import("./lexer.js").MarkdownLexer}} Place
 */

/**
 * Match a footnote's text.
 * @this {Place}
 * @param {string} source
 * @returns {Footnote | undefined}
 */
export function blockFootnote(source) {
  const opening = DEFINITION.exec(source);
  if (!opening) return;
  const raw = source.slice(0, endOfNote(source, opening[0].length));
  const tokens = this.lexer.nested(raw.slice(opening[0].length).replace(INDENTS, ""));
  if (!tokens) return;
  const label = opening[1];
  this.lexer.notes.add(noteKey(label));
  return { type: "footnote", raw, label, tokens };
}

/** Return where in a paragraph a footnote's text may start. @param {string} source */
export function startOfFootnote(source) {
  return searchInParagraph(source, LINE_WITH_DEFINITION) + 1 || undefined;
}

/**
 * Match a reference. As long as text may follow, a number is assumed to get its note.
 * @this {Place}
 * @param {string} source
 * @returns {FootnoteReference | undefined}
 */
export function inlineFootnote(source) {
  const found = REFERENCE.exec(source);
  if (!found) return;
  const [raw, label] = found;
  const isDefined = this.lexer.notes.has(noteKey(label));
  const isExpected = this.lexer.isGrowing && /^\d{1,3}$/.test(label);
  return isDefined || isExpected ? { type: "footnoteReference", raw, label } : undefined;
}

/** Return what a reference and its note have in common. @param {string} label */
export function noteKey(label) {
  return label.toLowerCase();
}

/**
 * @param {string} source that begins with a note
 * @param {number} start of its text
 */
function endOfNote(source, start) {
  let end = lineEnd(source, start);
  let isAfterBlank = false;
  for (let at = end, next; at < source.length && at < MAX_NOTE_LENGTH; at = next) {
    next = lineEnd(source, at);
    const line = source.slice(at, next);
    if (!line.trim()) {
      isAfterBlank = true;
      continue;
    }
    const goesOn = INDENT.test(line) || (!isAfterBlank && !NEW_BLOCK.test(line) && !DEFINITION.test(line));
    if (!goesOn) break;
    isAfterBlank = false;
    end = next;
  }
  return end;
}

/** @param {string} source @param {number} at */
function lineEnd(source, at) {
  return source.indexOf("\n", at) + 1 || source.length;
}
