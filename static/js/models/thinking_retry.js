/** What to send instead after an answer that spent all its tokens on reasoning. Pure. */

/** Reasoning efforts, lowest first; see chat/lib/catalogue/model.py. */
const EFFORTS = ["none", "low", "medium", "high"];
const BY_ITSELF = "medium"; // what models use if no effort is set

/** Abilities of a model. @typedef {{efforts: string[], longest: number, vision?: boolean}} Abilities */
/** @typedef {import("../types.js").GenerationOptions} RequestOptions */

/** Return whether the model used all its tokens for reasoning. @param {import("./answer.js").Answer} answer */
export function exceededReasoning({ text, reasoning, finishReason }) {
  return !text.trim() && reasoning !== "" && finishReason === "length";
}

/**
 * Return the parameters of the request for a choice that the user was offered.
 * @param {string} choice
 * @param {import("./answer.js").Answer} answer
 * @param {Abilities | undefined} abilities of its model
 * @returns {RequestOptions | null} null if the choice is another one, or the model does not support it
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

/** @param {string} effort @param {string[]} efforts that the model supports */
function lessThan(effort, efforts) {
  const below = EFFORTS.slice(0, EFFORTS.indexOf(effort || BY_ITSELF));
  return below.findLast((each) => efforts.includes(each)) ?? "";
}

/**
 * Return twice the tokens that the answer had, up to the maximum; 0 if it already had the maximum.
 * @param {import("./answer.js").Answer} answer
 * @param {number} longest
 */
function moreRoom({ usage }, longest) {
  const had = usage?.completion_tokens ?? 0;
  return had && had < longest ? Math.min(2 * had, longest) : 0;
}
