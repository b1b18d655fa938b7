import { errorFromResponse, unreachableError } from "./errors.js";
import { searchUrl } from "./urls.js";

/**
 * Search chats and messages.
 * @typedef {{id: string, title: string, updated_at: string}} FoundChat
 * @typedef {{id: number, conversation: string, title: string, pieces: [string, boolean][], said_at: string}} FoundMessage
 * a message; each of its pieces is marked true if it matches
 */

/**
 * Return the member's chats whose title matches, newest first, and matching messages; without a query, the newest
 * chats.
 * @param {Pick<import("../browser/browser_env.js").BrowserEnv, "fetch">} env
 * @param {string} query
 * @param {AbortSignal} signal
 * @returns {Promise<{chats: FoundChat[], messages: FoundMessage[]}>}
 */
export async function searchChats(env, query, signal) {
  const request = { headers: { Accept: "application/json" }, cache: /** @type {const} */ ("no-store"), signal };
  const response = await env.fetch(searchUrl(query), request).catch((error) => {
    throw signal.aborted ? error : unreachableError();
  });
  if (!response.ok) throw await errorFromResponse(response);
  return response.json();
}
