/** Report an answer or a chat to the people who run the site. */

import { errorFromResponse, unreachableError } from "./errors.js";
import { reportUrl } from "./urls.js";

/**
 * @returns what went wrong; null where it has arrived
 * @param {import("../browser/browser_env.js").BrowserEnv} env
 * @param {string} conversationId
 * @param {number} messageId 0 to report the whole chat
 * @param {object} report
 */
export async function sendReport(env, conversationId, messageId, report) {
  const headers = {
    "Content-Type": "application/json",
    Accept: "application/json",
    "X-CSRFToken": env.csrfToken(),
  };
  const request = { method: "POST", headers, body: JSON.stringify(report) };
  const response = await env.fetch(reportUrl(conversationId, messageId), request).catch(() => null);
  if (!response) return unreachableError();
  return response.ok ? null : errorFromResponse(response);
}
