/**
 * How an answer ended, in words, and what the person can do about it. Pure: facts in, sentences out.
 */

/** @typedef {"again" | "edit" | "sign-in"} Choice */
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
function completed({ text, toolNames, finishReason }) {
  if (toolNames.length) {
    const names = toolNames.join(", ");
    return quiet(`The model asked for a tool (${names}) that this site does not offer.`, ["again"]);
  }
  if (!text.trim()) {
    return quiet("The model finished without a word. Try again, or choose another model.", [
      "again",
      "edit",
    ]);
  }
  if (finishReason === "length") {
    return quiet("The answer is as long as it may get and ends here. Ask it to go on.", []);
  }
  return null;
}

/** @param {import("./answer.js").Answer} answer @returns {Outcome} */
function stopped({ text }) {
  if (text) return quiet("Stopped. What it had said is kept.", ["again"]);
  return quiet("Stopped before the answer began.", ["again", "edit"]);
}

/** @param {import("./answer.js").Answer} answer @returns {Outcome} */
function interrupted({ problem }) {
  const words = problem?.message ?? "The answer broke off. What it had said is kept. Try again.";
  return { words, choices: waysOut(problem, ["again"]), tone: "warn" };
}

/** @param {import("./answer.js").Answer} answer @returns {Outcome} */
function failed({ problem }) {
  const words = problem?.message ?? "There was no answer. Your text is kept. Try again.";
  return { words, choices: waysOut(problem, ["again", "edit"]), tone: "danger" };
}

/**
 * @param {import("./answer.js").Problem | null} problem
 * @param {Choice[]} choices
 * @returns {Choice[]}
 */
function waysOut(problem, choices) {
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
