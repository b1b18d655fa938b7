/** Which prompts match the text. Pure. */

import { matchesWords } from "../lib/text_match.js";

const MAX_SUGGESTIONS = 50;

/** @typedef {{id: string, name: string, preview: string}} Prompt */

/** Return the query: the text after the "/" of a message of one line. @param {string} text */
export function promptQuery(text) {
  return /^\/[^\n]{0,80}$/u.test(text) ? text.slice(1) : null;
}

/**
 * Return prompts whose names contain all words of the query; those that start with it come first.
 * @param {Prompt[]} prompts
 * @param {string} query
 */
export function matchingPrompts(prompts, query) {
  const found = prompts.filter(({ name }) => matchesWords(query.trim(), name));
  const begins = (/** @type {Prompt} */ { name }) => !name.toLowerCase().startsWith(query.trim().toLowerCase());
  return found.sort((a, b) => Number(begins(a)) - Number(begins(b))).slice(0, MAX_SUGGESTIONS);
}
