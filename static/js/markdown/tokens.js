/**
 * The lexer's tokens. marked's types allow tokens of extensions; these are only its own and ours.
 *
 * @typedef {import("marked").Links} Links link definitions by name
 * @typedef {import("marked").Token[]} MarkedTokens the type of nested tokens in marked's types
 * @typedef {MarkedTokens & {source?: string}} Spans has `source` until it is parsed
 * @typedef {import("./maths.js").Maths | import("./details.js").Details} Extended
 * @typedef {import("./footnotes.js").Footnote | import("./footnotes.js").FootnoteReference} Notes
 * @typedef {import("marked").MarkedToken | Extended | Notes} Token
 */

/** @param {MarkedTokens} tokens */
export function knownTokens(tokens) {
  return /** @type {Token[]} */ (tokens);
}
