/** Vote on two answers that are compared, or choose the one that the chat goes on with. */

import { errorFromResponse, unreachableError } from "./errors.js";
import { pairUrl } from "./urls.js";

/** @typedef {{pair: import("../types.js").Pair, models: {a: string, b: string}}} Decided */

/**
 * @param {import("../browser/browser_env.js").BrowserEnv} env
 * @param {string} conversationId
 * @param {number} pairId
 * @param {{verdict: string} | {chosen: string}} decision
 * @returns {Promise<Decided>} or throws what went wrong
 */
export async function decidePair(env, conversationId, pairId, decision) {
  const headers = {
    "Content-Type": "application/json",
    Accept: "application/json",
    "X-CSRFToken": env.csrfToken(),
    "X-Tab": env.tab,
  };
  const url = pairUrl(conversationId, pairId, "verdict" in decision ? "vote" : "choice");
  const response = await env.fetch(url, { method: "POST", headers, body: JSON.stringify(decision) }).catch(() => null);
  if (!response) throw unreachableError();
  if (!response.ok) throw await errorFromResponse(response);
  return response.json();
}
