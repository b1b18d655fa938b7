import { conversationUrl } from "../api/urls.js";
import { ApiError } from "../api/errors.js";
import { branchConversation } from "../api/turns.js";

/**
 * Opens another chat that begins as this one does, up to a message.
 * @param {import("./chat.js").Chat} chat
 * @param {number} messageId
 */
export async function branchOff(chat, messageId) {
  try {
    location.assign(conversationUrl(await branchConversation(chat.env, chat.id, messageId)));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    chat.status.hint(error.message);
  }
}
