/** Changing what is stored: deleting a turn, taking that back, copying a conversation up to a message. */

import { branchOf, turnDeletionOf } from "./addresses.js";
import { errorOf, unreachable } from "./errors.js";

/** @typedef {import("./connection.js").World} World */

/** @param {World} world @param {string} conversationId @param {number} questionId @returns {Promise<number>} for how many seconds it can be taken back */
export async function deleteStored(world, conversationId, questionId) {
  const { undo_seconds } = await change(world, "POST", turnDeletionOf(conversationId, questionId));
  return undo_seconds;
}

/** @param {World} world @param {string} conversationId @param {number} questionId */
export function restoreStored(world, conversationId, questionId) {
  return change(world, "DELETE", turnDeletionOf(conversationId, questionId));
}

/** @param {World} world @param {string} conversationId @param {number} messageId @returns {Promise<string>} the new conversation's id */
export async function copyUpTo(world, conversationId, messageId) {
  const { conversation } = await change(world, "POST", branchOf(conversationId, messageId));
  return conversation;
}

/** @param {World} world @param {string} method @param {string} url @returns {Promise<any>} */
async function change(world, method, url) {
  const headers = { Accept: "application/json", "X-CSRFToken": world.csrfToken(), "X-Tab": world.tab };
  const response = await world.fetch(url, { method, headers }).catch(() => null);
  if (!response) throw unreachable();
  if (!response.ok) throw await errorOf(response);
  return response.json();
}
