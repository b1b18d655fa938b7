/** Delete a turn, and offer to undo it for a while. */

import { ApiError } from "../../api/errors.js";
import { deleteStoredTurn, restoreStoredTurn } from "../../api/turns.js";

/**
 * @param {import("./turn_commands.js").TurnParts & import("./turn_commands.js").StoredTurnParts} parts
 * @param {import("../../models/conversation.js").Exchange} exchange
 */
export async function deleteTurn({ env, status, toast, chat, branches }, { questionId = 0, parentId = 0 }) {
  const seconds = await tried(status, () => deleteStoredTurn(env, chat.id, questionId));
  if (!seconds) return;
  await branches.show(parentId);
  toast.offer("turn-deleted", seconds, async () => {
    const isBack = await tried(status, () => restoreStoredTurn(env, chat.id, questionId));
    if (!isBack) return;
    toast.close();
    await branches.show(questionId);
    chat.composer.focus();
  });
}

/**
 * @template T
 * @param {import("../ui/status.js").Status} status
 * @param {() => Promise<T>} work
 * @returns {Promise<T | null>} null if it failed, which is shown
 */
async function tried(status, work) {
  try {
    return await work();
  } catch (error) {
    // Not `status.hintError`: `status` is from another bundle, which has its own ApiError class.
    if (!(error instanceof ApiError)) throw error;
    status.hint(error.message);
    return null;
  }
}
