/** What to send instead after an answer that spent all its tokens on reasoning. Pure. */

/** Reasoning efforts, lowest first; see chat/lib/catalogue.py. */
const EFFORTS = ["none", "low", "medium", "high"];
const BY_ITSELF = "medium"; // what models do that are not told

/** Abilities of a model. @typedef {{efforts: string[], longest: number}} Abilities */
/** @typedef {import("../types.js").GenerationOptions} RequestOptions */

/** @param {import("./answer.js").Answer} answer whether it thought until nothing was left to answer with */
export function exceededReasoning({ text, reasoning, finishReason }) {
  return !text.trim() && reasoning !== "" && finishReason === "length";
}

/**
 * What a way out of such an answer sends.
 * @param {string} choice
 * @param {import("./answer.js").Answer} answer
 * @param {Abilities | undefined} abilities of its model
 * @returns {RequestOptions | null} null where it is none, or the model cannot
 */
export function retryOptions(choice, answer, abilities) {
  if (!abilities) return null;
  const { effort } = answer;
  if (choice === "less-thinking") {
    const less = lessThan(effort, abilities.efforts);
    return less ? { reasoning_effort: less } : null;
  }
  if (choice !== "more-room") return null;
  const room = moreRoom(answer, abilities.longest);
  return room ? { max_tokens: room, ...(effort && { reasoning_effort: effort }) } : null;
}

/** @param {string} effort @param {string[]} efforts those that the model knows */
function lessThan(effort, efforts) {
  const below = EFFORTS.slice(0, EFFORTS.indexOf(effort || BY_ITSELF));
  return below.findLast((each) => efforts.includes(each)) ?? "";
}

/** Twice as many tokens as it had, or as many as it may have; 0 where it had them. @param {import("./answer.js").Answer} answer @param {number} longest */
function moreRoom({ usage }, longest) {
  const had = usage?.completion_tokens ?? 0;
  return had && had < longest ? Math.min(2 * had, longest) : 0;
}
