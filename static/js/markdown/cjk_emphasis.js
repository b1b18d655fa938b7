/**
 * Emphasis next to Chinese, Japanese and Korean text, which has no spaces where CommonMark expects them. By the rule of
 * markdown-cjk-friendly, punctuation of these scripts counts as a letter, and so does any punctuation on the other side
 * of delimiters next to them: `**是。**所` and `**(x)**을` are bold. It holds for `*` and `~`, as `_` needs spaces.
 */

/* eslint-disable no-misleading-character-class -- each code point counts by itself */
const CJK =
  "\\u1100-\\u11ff\\u2e80-\\u2fff\\u3001-\\ua4cf\\ua960-\\ua97f\\uac00-\\ud7ff\\uf900-\\ufaff\\ufe00-\\ufe02\\ufe10-\\ufe6f" +
  "\\uff01-\\uffee\\u{16fe0}-\\u{1b2ff}\\u{20000}-\\u{3fffd}\\u{e0100}-\\u{e01ef}";
const ANY = new RegExp(`[${CJK}]`, "u");
const ENDS = new RegExp(`[${CJK}]$`, "u");
const RUNS = /[*~]+/g;
const NEIGHBOUR = /[^\s*~_]/u;

/**
 * Return marked's rule for what may open emphasis, in which punctuation of these scripts is a letter.
 * @param {RegExp} rule
 */
export function openingRule({ source }) {
  return new RegExp(source.replaceAll("(?!~)", `(?![~${CJK}])`), "u");
}

/** Return whether a text ends in a character of these scripts. @param {string} text */
export function endsInCjk(text) {
  return ENDS.test(text.slice(-2));
}

/**
 * Mask the neighbours of delimiters as letters where the rule says so.
 * @param {string} masked the source, in which marked has masked other things
 */
export function maskCjk(masked) {
  if (!ANY.test(masked)) return masked;
  const units = masked.split("");
  for (const { 0: run, index } of masked.matchAll(RUNS)) {
    const end = index + run.length;
    const before = [...masked.slice(Math.max(0, index - 2), index)].at(-1) ?? "";
    const [after = ""] = masked.slice(end, end + 2);
    if (!ANY.test(before + after)) continue;
    cover(units, before, index - before.length);
    cover(units, after, end);
  }
  return units.join("");
}

/** @param {string[]} units @param {string} character @param {number} at */
function cover(units, character, at) {
  if (NEIGHBOUR.test(character)) units.fill("a", at, at + character.length);
}
