import { ApiError } from "../../api/errors.js";
import { branchConversation } from "../../api/turns.js";
import { conversationUrl } from "../../api/urls.js";

/**
 * Open a new chat that contains the messages of this one up to `messageId`.
 * @param {import("../../browser/browser_env.js").BrowserEnv} env
 * @param {string} conversationId
 * @param {number} messageId
 * @param {import("../ui/status.js").Status} status
 */
export async function branchIntoNewChat(env, conversationId, messageId, status) {
  try {
    location.assign(conversationUrl(await branchConversation(env, conversationId, messageId)));
  } catch (error) {
    // Not `status.hintError`: `status` is from another bundle, which has its own ApiError class.
    if (!(error instanceof ApiError)) throw error;
    status.hint(error.message);
  }
}
