import { pageOf } from "../../stream/addresses.js";
import { StreamError } from "../../stream/errors.js";
import { copyUpTo } from "../../stream/turns.js";

/**
 * Opens another chat that begins as this one does, up to a message.
 * @param {import("../../stream/connection.js").World} world
 * @param {string} conversationId
 * @param {number} messageId
 * @param {import("../ui/status.js").Status} status
 */
export async function branchIntoNewChat(world, conversationId, messageId, status) {
  try {
    location.assign(pageOf(await copyUpTo(world, conversationId, messageId)));
  } catch (error) {
    if (!(error instanceof StreamError)) throw error; // this bundle's own, so `status` does not know it
    status.hint(error.message);
  }
}
