/** Deletes a turn, and offers for a while to take that back. */

import { ApiError } from "../api/errors.js";
import { deleteStoredTurn, restoreStoredTurn } from "../api/turns.js";

/** @typedef {import("./stored_chat.js").StoredChat} Chat */

/**
 * @param {Chat} chat
 * @param {import("../models/conversation.js").Exchange} exchange
 */
export async function deleteTurn(chat, { questionId = 0, parentId = 0 }) {
  const seconds = await tried(chat, () => deleteStoredTurn(chat.env, chat.id, questionId));
  if (!seconds) return;
  await chat.showBranch(parentId);
  chat.toast.offer("turn-deleted", seconds, async () => {
    const isBack = await tried(chat, () => restoreStoredTurn(chat.env, chat.id, questionId));
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
    if (!(error instanceof ApiError)) throw error;
    chat.status.hint(error.message);
    return null;
  }
}
