/**
 * How an answer ended, in words, and what the person can do about it. Pure: facts in, sentences out.
 */

import { t } from "../lib/i18n.js";
import { thoughtTooLong } from "./thinking_retry.js";

/** @typedef {"continue" | "again" | "edit" | "sign-in" | "more-room" | "less-thinking"} Choice */
/** @typedef {{words: string, choices: Choice[], tone: "quiet" | "warn" | "danger"}} Outcome */

/**
 * @param {import("./answer.js").Answer} answer
 * @returns {Outcome | null} null where there is nothing to say: it is under way, or all is well
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
 * The same, for somebody who listens and cannot see that it is over.
 * @param {import("./answer.js").Answer} answer
 */
export function outcomeAnnouncement(answer) {
  if (answer.state === "for_person") return t("Sent. A person will answer.");
  return describeOutcome(answer)?.words ?? t("The answer is complete.");
}

/** @param {import("./answer.js").Answer} answer @returns {Outcome | null} */
function completed(answer) {
  const { text, toolNames, finishReason } = answer;
  if (toolNames.length || (finishReason === "tool_calls" && !text)) {
    const names = toolNames.join(", ");
    const words = names
      ? t("The model asked for a tool ({names}) that this site does not offer.", { names })
      : t("The model asked for a tool that this site does not offer.");
    return quiet(words, ["again"]);
  }
  if (finishReason === "content_filter") return filtered(answer);
  if (thoughtTooLong(answer)) {
    const words = t("Thinking used up the room for this answer. Give it more room, or let the model think less.");
    return { words, choices: editable(answer, ["more-room", "less-thinking", "again"]), tone: "warn" };
  }
  if (!text.trim()) {
    const words = t("The model finished without a word. Try again, or choose another model.");
    return quiet(words, editable(answer, ["again"]));
  }
  if (finishReason === "length") {
    if (answer.messageId) return quiet(t("The answer is as long as it may get and ends here."), ["continue"]);
    return quiet(t("The answer is as long as it may get and ends here. Ask it to go on."), []);
  }
  return null;
}

/** It looks finished, and is not. @param {import("./answer.js").Answer} answer @returns {Outcome} */
function filtered(answer) {
  const words = answer.text
    ? t("A content filter of the model’s service stopped this answer.")
    : t("A content filter of the model’s service blocked this answer. Change your message, or choose another model.");
  return { words, choices: editable(answer, ["again"]), tone: "warn" };
}

/** @param {import("./answer.js").Answer} answer @returns {Outcome} */
function stopped(answer) {
  if (answer.problem?.code === "stopped_by_staff") return quiet(t("The staff of this site has stopped this answer."), []);
  if (answer.problem?.code === "stopped_for_person") return quiet(t("Stopped: a person goes on from here."), []);
  if (answer.text) return quiet(t("Stopped. What it had said is kept."), goingOn(answer));
  return quiet(t("Stopped before the answer began."), editable(answer, ["again"]));
}

/** @param {import("./answer.js").Answer} answer @returns {Outcome} */
function interrupted(answer) {
  const choices = goingOn(answer);
  const words = choices.includes("continue")
    ? t("The answer broke off. What it had said is kept. Continue, or try again.")
    : t("The answer broke off. What it had said is kept. Try again.");
  return { words: problemOf(answer) ?? words, choices: signedIn(answer, choices), tone: "warn" };
}

/** @param {import("./answer.js").Answer} answer @returns {Outcome} */
function failed(answer) {
  const words = problemOf(answer) ?? t("There was no answer. Your text is kept. Try again.");
  return { words, choices: signedIn(answer, editable(answer, ["again"])), tone: "danger" };
}

/**
 * A stream is the same for everybody who reads it, so its errors are in English; those of the site are in
 * the catalogue.
 * @param {import("./answer.js").Answer} answer
 */
function problemOf({ problem }) {
  return problem && t(problem.message);
}

/**
 * What the server keeps can be continued, unless it has more of it already.
 * @param {import("./answer.js").Answer} answer
 * @returns {Choice[]}
 */
function goingOn({ messageId, generationId, problem }) {
  if (problem?.code === "deleted") return [];
  return messageId && !generationId ? ["continue", "again"] : ["again"];
}

/**
 * A question that the server keeps stays; one that it does not may go back to the composer.
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
  return problem?.code === "signed_out" ? ["sign-in", ...choices] : choices;
}

/**
 * @param {string} words
 * @param {Choice[]} choices
 * @returns {Outcome}
 */
function quiet(words, choices) {
  return { words, choices, tone: "quiet" };
}
