/**
 * What the lexer makes of a text. marked's types allow for kinds of tokens that others add; here are only its own and
 * formulas.
 *
 * @typedef {import("marked").Links} Links definitions of links by their names
 * @typedef {import("marked").Token[]} MarkedTokens as marked's types have what stands in a token
 * @typedef {MarkedTokens & {source?: string}} Spans with the source, as long as they are to be read
 * @typedef {import("marked").MarkedToken | import("./maths.js").Maths} Token
 */

/** @param {MarkedTokens} tokens */
export function knownTokens(tokens) {
  return /** @type {Token[]} */ (tokens);
}
