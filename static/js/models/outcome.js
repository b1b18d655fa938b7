/**
 * How an answer ended, in words, and what the person can do about it. Pure: facts in, sentences out.
 */

/** @typedef {"continue" | "again" | "edit" | "sign-in"} Choice */
/** @typedef {{words: string, choices: Choice[], tone: "quiet" | "warn" | "danger"}} Outcome */

/**
 * @param {import("./answer.js").Answer} answer
 * @returns {Outcome | null} null where there is nothing to say: it is under way, or all is well
 */
export function outcomeOf(answer) {
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
export function endInWords(answer) {
  return outcomeOf(answer)?.words ?? "The answer is complete.";
}

/** @param {import("./answer.js").Answer} answer @returns {Outcome | null} */
function completed(answer) {
  const { text, toolNames, finishReason } = answer;
  if (toolNames.length || (finishReason === "tool_calls" && !text)) {
    const names = toolNames.length ? ` (${toolNames.join(", ")})` : "";
    return quiet(`The model asked for a tool${names} that this site does not offer.`, ["again"]);
  }
  if (!text.trim()) {
    const words = "The model finished without a word. Try again, or choose another model.";
    return quiet(words, editable(answer, ["again"]));
  }
  if (finishReason === "length") {
    const words = "The answer is as long as it may get and ends here.";
    if (!answer.messageId) return quiet(`${words} Ask it to go on.`, []);
    return quiet(words, ["continue"]);
  }
  return null;
}

/** @param {import("./answer.js").Answer} answer @returns {Outcome} */
function stopped(answer) {
  if (answer.text) return quiet("Stopped. What it had said is kept.", goingOn(answer));
  return quiet("Stopped before the answer began.", editable(answer, ["again"]));
}

/** @param {import("./answer.js").Answer} answer @returns {Outcome} */
function interrupted(answer) {
  const next = goingOn(answer).includes("continue") ? "Continue, or try again." : "Try again.";
  const words = answer.problem?.message ?? `The answer broke off. What it had said is kept. ${next}`;
  return { words, choices: signedIn(answer, goingOn(answer)), tone: "warn" };
}

/** @param {import("./answer.js").Answer} answer @returns {Outcome} */
function failed(answer) {
  const words = answer.problem?.message ?? "There was no answer. Your text is kept. Try again.";
  return { words, choices: signedIn(answer, editable(answer, ["again"])), tone: "danger" };
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
