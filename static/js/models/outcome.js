/** Explain how an answer ended, and what the user can do. Pure. */

import { t } from "../lib/i18n.js";
import { exceededReasoning } from "./thinking_retry.js";

/** @typedef {"continue" | "again" | "edit" | "sign-in" | "more-room" | "less-thinking"} Choice */
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
  return describeOutcome(answer)?.words ?? t("Answer complete.");
}

/** @param {import("./answer.js").Answer} answer @returns {Outcome | null} */
function completed(answer) {
  const { text, toolNames, finishReason } = answer;
  if (toolNames.length || (finishReason === "tool_calls" && !text)) {
    const names = toolNames.join(", ");
    const words = names
      ? t("The model requested a tool ({names}) that isn't available here.", { names })
      : t("The model requested a tool that isn't available here.");
    return quiet(words, ["again"]);
  }
  if (finishReason === "content_filter") return filtered(answer);
  if (exceededReasoning(answer)) {
    const words = t("Reasoning used up the length limit for this answer. Allow a longer answer, or reduce reasoning.");
    return { words, choices: editable(answer, ["more-room", "less-thinking", "again"]), tone: "warn" };
  }
  if (!text.trim()) {
    const words = t("The model returned an empty answer. Try again, or choose another model.");
    return quiet(words, editable(answer, ["again"]));
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
    : t("The model provider's content filter blocked this answer. Change your message, or choose another model.");
  return { words, choices: editable(answer, ["again"]), tone: "warn" };
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
  return { words, choices: signedIn(answer, editable(answer, ["again"])), tone: "danger" };
}

/**
 * Translate a stream's error. Streams are the same for all readers, so their errors are in English; the site's own
 * errors are in the catalogue.
 * @param {import("./answer.js").Answer} answer
 */
function problemOf({ problem }) {
  return problem && t(problem.message);
}

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
 * Offer to move the question back to the composer, unless the server has stored it.
 * @param {import("./answer.js").Answer} answer
 * @param {Choice[]} choices
 * @returns {Choice[]}
 */
function editable({ messageId, problem }, choices) {
  if (problem?.code === "deleted") return ["edit"];
  return messageId ? choices : [...choices, "edit"];
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
