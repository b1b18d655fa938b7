/** Mark an answer as read on the server. */

import { markReadUrl } from "./urls.js";

/**
 * Failures are ignored: the next visit sends it again.
 * @param {import("../browser/browser_env.js").BrowserEnv} env
 * @param {string} conversationId
 */
export async function markRead(env, conversationId) {
  const request = { method: "POST", headers: { "X-CSRFToken": env.csrfToken() }, keepalive: true };
  await env.fetch(markReadUrl(conversationId), request).catch(() => null);
}
