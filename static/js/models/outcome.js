/**
 * Explain how an answer ended, and what the user can do. Pure. Choices that a page does not offer, such as another model to
 * visitors of a website, are not in the words.
 */

import { formatDayAndTime } from "../lib/formatting.js";
import { t } from "../lib/i18n.js";
import { exceededReasoning } from "./thinking_retry.js";

const DAY_MS = 86_400_000;

/**
 * Errors after which the server may or may not have the question, so it can only be repeated unchanged.
 * @type {ReadonlySet<string>}
 */
export const UNCERTAIN = new Set(["network", "unexpected_response", "shutting_down", "overloaded", "database_unavailable"]);

/** What an error's text tells the user to do, by its code. @type {[Choice, ReadonlySet<string>][]} */
const REMEDIES = [
  ["sign-in", new Set(["not_authenticated"])],
  ["other-model", new Set([
    "prompt_too_long", "context_too_long", "unknown_model", "model_not_allowed", "model_removed", "not_streamed", "out_of_capacity", "upstream_rejected", "content_filter",
  ])],
  ["edit", new Set(["message_too_long", "prompt_too_long"])],
  ["new-chat", new Set(["persona_unavailable", "project_unavailable", "project_archived", "context_too_long", "conversation_full"])],
  ["reload", new Set(["conflict", "collection_unavailable"])],
]; // prettier-ignore

/** @typedef {"continue" | "again" | "other-model" | "edit" | "new-chat" | "reload" | "dismiss" | "sign-in" | "more-room" | "less-thinking"} Choice */
/** @typedef {{words: string, choices: Choice[], tone: "quiet" | "warn" | "danger"}} Outcome */

/**
 * @param {import("./answer.js").Answer} answer
 * @returns {Outcome | null} null if there is nothing to say, because it is running or complete
 */
export function describeOutcome(answer) {
  switch (answer.state) {
    case "complete":
      return completed(answer);
    case "stopped":
      return stopped(answer);
    case "interrupted":
      return interrupted(answer);
    case "failed":
      return failed(answer);
    default:
      return null;
  }
}

/**
 * Return the same for screen readers, whose users cannot see that the answer ended.
 * @param {import("./answer.js").Answer} answer
 */
export function outcomeAnnouncement(answer) {
  if (answer.state === "awaiting_staff") return t("Sent. A person will reply.");
  if (answer.tools.some(needsDecision)) return t("The model asks for your permission to use a tool.");
  return describeOutcome(answer)?.words ?? t("Answer complete.");
}

/** Whether a person has to decide about a call of a tool. @param {import("../types.js").Tool} tool */
export function needsDecision({ state }) {
  return state === "proposed" || state === "unknown";
}

/** @param {import("./answer.js").Answer} answer @returns {Outcome | null} */
function completed(answer) {
  const { text, toolNames, tools, finishReason } = answer;
  if (finishReason === "tool_calls" && tools.length) {
    return tools.some(needsDecision) ? null : quiet(t("The answer hasn't gone on yet."), ["continue"]);
  }
  if (toolNames.length || (finishReason === "tool_calls" && !text)) {
    const names = toolNames.join(", ");
    const words = names
      ? t("The model requested a tool ({names}) that isn't available here.", { names })
      : t("The model requested a tool that isn't available here.");
    return quiet(words, ["again"]);
  }
  if (finishReason === "content_filter") return filtered(answer);
  if (exceededReasoning(answer)) {
    const words = t("Reasoning used up the length limit for this answer."); // the model may allow only some of the choices
    return { words, choices: editable(answer, ["more-room", "less-thinking", "again"]), tone: "warn" };
  }
  if (!text.trim()) {
    const words = answer.reasoning
      ? t("The model only reasoned, without an answer. Try again.")
      : t("The model returned an empty answer. Try again.");
    return quiet(words, editable(answer, ["again", "other-model"]));
  }
  if (finishReason === "length") {
    if (answer.messageId) return quiet(t("Reached the length limit."), ["continue"]);
    return quiet(t("Reached the length limit. You can continue the answer."), []);
  }
  return null;
}

/** Explain an answer that looks complete but is not. @param {import("./answer.js").Answer} answer @returns {Outcome} */
function filtered(answer) {
  const words = answer.text
    ? t("The model provider's content filter stopped this answer.")
    : t("The model provider's content filter blocked this answer. Change your message.");
  const choices = /** @type {Choice[]} */ (answer.text ? ["again"] : ["again", "other-model"]);
  return { words, choices: editable(answer, choices), tone: "warn" };
}

/** @param {import("./answer.js").Answer} answer @returns {Outcome} */
function stopped(answer) {
  if (answer.problem?.code === "stopped_by_staff") return quiet(t("Staff stopped this answer."), []);
  if (answer.problem?.code === "stopped_by_takeover") return quiet(t("Stopped. A person has taken over."), []);
  if (answer.text) return quiet(t("Stopped. The partial answer was saved."), goingOn(answer));
  return quiet(t("Stopped before the answer started."), editable(answer, ["again"]));
}

/** @param {import("./answer.js").Answer} answer @returns {Outcome} */
function interrupted(answer) {
  const choices = goingOn(answer);
  const words = choices.includes("continue")
    ? t("The answer was interrupted. The partial answer was saved. Continue, or try again.")
    : t("The answer was interrupted. The partial answer was saved. Try again.");
  return { words: problemOf(answer) ?? words, choices: signedIn(answer, choices), tone: "warn" };
}

/** @param {import("./answer.js").Answer} answer @returns {Outcome} */
function failed(answer) {
  const words = problemOf(answer) ?? t("No answer was received. Your message is saved. Try again.");
  return { words, choices: editable(answer, remedies(answer)), tone: "danger" };
}

/**
 * Translate a stream's error. Streams are the same for all readers, so their errors are in English; the site's own
 * errors are in the catalogue.
 * @param {import("./answer.js").Answer} answer
 */
function problemOf({ problem }) {
  if (problem?.code !== "allocation_exhausted") return problem && t(problem.message);
  const when = formatDayAndTime(nextMidnight(Date.now()));
  return t("This site has reached its daily limit with the model provider. It resets on {when}.", { when });
}

/** Return the next midnight in UTC, when providers start counting anew. @param {number} now */
function nextMidnight(now) {
  return (Math.floor(now / DAY_MS) + 1) * DAY_MS;
}

/**
 * Return what helps, as the error's text says. A question that the site refused would be refused again.
 * @param {import("./answer.js").Answer} answer
 * @returns {Choice[]}
 */
function remedies({ problem, messageId }) {
  const { code = "", retryable = true } = problem ?? {};
  const named = REMEDIES.flatMap(([choice, codes]) => (codes.has(code) ? [choice] : []));
  const isRefusedAgain = code === "content_filter";
  const isWorthIt = !isRefusedAgain && (retryable || messageId || !named.length || code === "not_authenticated");
  return isWorthIt ? [...first(named), "again", ...others(named)] : named;
}

/** What must come before another attempt. @param {Choice[]} named */
const first = (named) => named.filter((choice) => choice === "sign-in");
/** @param {Choice[]} named */
const others = (named) => named.filter((choice) => choice !== "sign-in");

/**
 * Return how the answer can be continued: a stored answer can, unless the server already has more of it.
 * @param {import("./answer.js").Answer} answer
 * @returns {Choice[]}
 */
function goingOn({ messageId, generationId, problem }) {
  if (problem?.code === "deleted") return [];
  return messageId && !generationId ? ["continue", "again"] : ["again"];
}

/**
 * Offer to move the question back to the composer, to send it to another model or to dismiss it, unless the server has
 * stored it. A question that may have arrived can only be repeated unchanged.
 * @param {import("./answer.js").Answer} answer
 * @param {Choice[]} choices
 * @returns {Choice[]}
 */
function editable({ messageId, problem, state }, choices) {
  if (problem?.code === "deleted") return ["edit", "new-chat"];
  if (messageId) return choices;
  const isRefused = problem !== null && !UNCERTAIN.has(problem.code) && problem.code !== "not_authenticated";
  const more = [...choices, "edit", ...(isRefused ? ["other-model"] : []), ...(state === "failed" ? ["dismiss"] : [])];
  return /** @type {Choice[]} */ ([...new Set(more)]);
}

/**
 * @param {import("./answer.js").Answer} answer
 * @param {Choice[]} choices
 * @returns {Choice[]}
 */
function signedIn({ problem }, choices) {
  return problem?.code === "not_authenticated" ? ["sign-in", ...choices] : choices;
}

/**
 * @param {string} words
 * @param {Choice[]} choices
 * @returns {Outcome}
 */
function quiet(words, choices) {
  return { words, choices, tone: "quiet" };
}
