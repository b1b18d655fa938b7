/** Rate an answer. */

import { errorFromResponse, unreachableError } from "./errors.js";
import { ratingUrl } from "./urls.js";

/**
 * @returns what went wrong; null where it is kept
 * @param {import("../browser/browser_env.js").BrowserEnv} env
 * @param {string} conversationId
 * @param {number} messageId
 * @param {import("../types.js").Opinion} opinion
 */
export async function sendRating(env, conversationId, messageId, opinion) {
  const headers = {
    "Content-Type": "application/json",
    Accept: "application/json",
    "X-CSRFToken": env.csrfToken(),
  };
  const request = { method: "POST", headers, body: JSON.stringify(opinion) };
  const response = await env.fetch(ratingUrl(conversationId, messageId), request).catch(() => null);
  if (!response) return unreachableError();
  return response.ok ? null : errorFromResponse(response);
}
