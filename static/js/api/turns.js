/** Change what is stored: delete a turn, restore it, copy a conversation up to a message. */

import { errorFromResponse, unreachableError } from "./errors.js";
import { branchUrl, turnDeletionUrl } from "./urls.js";

/** @typedef {import("../browser/browser_env.js").BrowserEnv} BrowserEnv */

/**
 * @param {BrowserEnv} env
 * @param {string} conversationId
 * @param {number} questionId
 * @returns {Promise<number>} how many seconds it can be undone
 */
export async function deleteStoredTurn(env, conversationId, questionId) {
  /** @type {{undo_seconds: number}} */
  const { undo_seconds } = await change(env, "POST", turnDeletionUrl(conversationId, questionId));
  return undo_seconds;
}

/** @param {BrowserEnv} env @param {string} conversationId @param {number} questionId */
export function restoreStoredTurn(env, conversationId, questionId) {
  return change(env, "DELETE", turnDeletionUrl(conversationId, questionId));
}

/**
 * @param {BrowserEnv} env
 * @param {string} conversationId
 * @param {number} messageId
 * @returns {Promise<string>} the new conversation's id
 */
export async function branchConversation(env, conversationId, messageId) {
  /** @type {{conversation: string}} */
  const { conversation } = await change(env, "POST", branchUrl(conversationId, messageId));
  return conversation;
}

/**
 * @template Json what is said of it
 * @param {BrowserEnv} env
 * @param {string} method
 * @param {string} url
 * @returns {Promise<Json>}
 */
async function change(env, method, url) {
  const headers = { Accept: "application/json", "X-CSRFToken": env.csrfToken(), "X-Tab": env.tab };
  const response = await env.fetch(url, { method, headers }).catch(() => null);
  if (!response) throw unreachableError();
  if (!response.ok) throw await errorFromResponse(response);
  return response.json();
}
