/** Deletes a turn, and offers for a while to take that back. */

import { t } from "../lib/words.js";
import { StreamError } from "../stream/errors.js";
import { deleteStored, restoreStored } from "../stream/turns.js";

/** @typedef {import("./stored_chat.js").StoredChat} Chat */

/**
 * @param {Chat} chat
 * @param {import("../models/exchanges.js").Exchange} exchange
 */
export async function deleteTurn(chat, { questionId = 0, parentId = 0 }) {
  const seconds = await tried(chat, () => deleteStored(chat.world, chat.id, questionId));
  if (!seconds) return;
  await chat.showBranch(parentId);
  offerUndo(chat, seconds, async () => {
    const isBack = await tried(chat, () => restoreStored(chat.world, chat.id, questionId));
    if (isBack) await chat.showBranch(questionId);
    chat.composer.focus();
    return Boolean(isBack);
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

/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/**
 * One deletion at a time can be taken back: the last one.
 * @param {Chat} chat
 * @param {number} seconds
 * @param {() => Promise<boolean>} undo whether it worked
 */
function offerUndo(chat, seconds, undo) {
  const notice = /** @type {HTMLElement} */ (document.getElementById("undo"));
  const button = /** @type {HTMLButtonElement} */ (notice.querySelector("button"));
  clearTimeout(timer);
  timer = setTimeout(close, seconds * 1000);
  notice.hidden = false;
  button.onclick = async () => {
    if (await undo()) close();
  };
  button.focus({ preventScroll: true });
  chat.status.say(t("The turn is deleted. It can be brought back for a moment."));

  function close() {
    clearTimeout(timer);
    const hadFocus = notice.contains(document.activeElement);
    notice.hidden = true;
    if (hadFocus) chat.composer.focus();
  }
}
