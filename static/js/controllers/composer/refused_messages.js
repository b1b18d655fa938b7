/** Bring messages that a limit refused for now back into the message box; delayed_send.js sends them later. */

import { onDemand } from "../../browser/on_demand.js";

const FOR_NOW = new Set(["quota_exceeded", "rate_limit_exceeded"]);
const script = onDemand("delayed_send");

/** @param {import("./delayed_send.js").Parts} parts @param {AbortSignal} signal ends the chat */
export function wireRefusedMessages(parts, signal) {
  const { chat } = parts;
  /** @type {(() => void) | undefined} */
  let cancel;
  signal.addEventListener("abort", () => cancel?.());
  chat.subscribe({
    sending: () => cancel?.(),
    accepted: () => cancel?.(), // another answer has begun
    replaced: () => cancel?.(),
    async ended(exchange) {
      const { problem, text, messageId } = exchange.answer;
      if (!problem || !FOR_NOW.has(problem.code) || text || messageId || exchange.questionId) return;
      const module = await script();
      const isStillThere = exchange.answer.problem === problem && chat.transcript.rootOf(exchange);
      if (module && isStillThere && !signal.aborted) cancel = module.delaySend(parts, exchange);
    },
  });
}
