import { pageOf } from "../../stream/addresses.js";
import { StreamError } from "../../stream/errors.js";
import { copyUpTo } from "../../stream/turns.js";

/**
 * Opens another chat that begins as this one does, up to a message.
 * @param {import("../chat/chat_controller.js").Chat} chat
 * @param {number} messageId
 */
export async function branchOff(chat, messageId) {
  try {
    location.assign(pageOf(await copyUpTo(chat.world, chat.id, messageId)));
  } catch (error) {
    if (!(error instanceof StreamError)) throw error;
    chat.status.hint(error.message);
  }
}
