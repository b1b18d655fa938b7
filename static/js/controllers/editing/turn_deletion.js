/** Deletes a turn, and offers for a while to take that back. */

import { StreamError } from "../../stream/errors.js";
import { deleteStored, restoreStored } from "../../stream/turns.js";

/** @typedef {import("../chat/member_chat.js").StoredChat} Chat */

/**
 * @param {Chat} chat
 * @param {import("../../models/exchanges.js").Exchange} exchange
 */
export async function deleteTurn(chat, { questionId = 0, parentId = 0 }) {
  const seconds = await tried(chat, () => deleteStored(chat.world, chat.id, questionId));
  if (!seconds) return;
  await chat.showBranch(parentId);
  chat.toast.offer("turn-deleted", seconds, async () => {
    const isBack = await tried(chat, () => restoreStored(chat.world, chat.id, questionId));
    if (!isBack) return;
    chat.toast.close();
    await chat.showBranch(questionId);
    chat.composer.focus();
  });
}

/**
 * @template T
 * @param {Chat} chat
 * @param {() => Promise<T>} work
 * @returns {Promise<T | null>} null where it failed, which is said
 */
async function tried(chat, work) {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof StreamError)) throw error;
    chat.status.hint(error.message);
    return null;
  }
}
