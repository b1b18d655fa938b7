/** Read stored messages and conversations as JSON. */

import { Backoff } from "../lib/backoff.js";
import { deletedError, errorFromResponse, connectionLostError } from "./errors.js";
import { isPermanentRefusal, isJson } from "./responses.js";
import { messageUrl, conversationUrl, sendStatusUrl, titleUrl } from "./urls.js";

const PATIENCE_MS = 60_000;

/** @typedef {import("../types.js").StoredMessage} StoredMessage */

/**
 * @param {import("../browser/browser_env.js").BrowserEnv} env
 * @param {string} conversationId
 * @param {number} messageId
 * @returns {Promise<StoredMessage>}
 */
export function fetchMessage(env, conversationId, messageId) {
  return read(env, messageUrl(conversationId, messageId), PATIENCE_MS);
}

/**
 * @param {import("../browser/browser_env.js").BrowserEnv} env
 * @param {string} conversationId
 * @param {{at?: number, before?: number}} [place] load the branch through a message, or the turns before one
 * @returns {Promise<{title: string, turns: StoredMessage[], has_earlier: boolean, is_newest: boolean}>}
 */
export function fetchConversation(env, conversationId, place = {}) {
  const query = Object.entries(place).filter(([, id]) => id).map(([name, id]) => `?${name}=${id}`);
  return read(env, conversationUrl(conversationId) + query.join(""), 0);
}

/**
 * Return the conversation that stores a send; "" if it is not stored or unknown.
 * @param {import("../browser/browser_env.js").BrowserEnv} env
 * @param {string} key
 */
export async function findConversationOfSend(env, key) {
  const request = { headers: { Accept: "application/json" }, cache: /** @type {const} */ ("no-store") };
  const response = await env.fetch(sendStatusUrl(key), request).catch(() => null);
  return response?.ok && isJson(response) ? String((await response.json()).conversation) : "";
}

/**
 * @param {import("../browser/browser_env.js").BrowserEnv} env
 * @param {string} conversationId
 * @param {string} title
 * @returns {Promise<boolean>} whether it is stored
 */
export async function renameConversation(env, conversationId, title) {
  const headers = { "X-CSRFToken": env.csrfToken(), "HX-Request": "true" };
  const request = { method: "POST", headers, body: new URLSearchParams({ title }) };
  const response = await env.fetch(titleUrl(conversationId), request).catch(() => null);
  return Boolean(response?.ok && !response.redirected);
}

/**
 * @template Json what stands at the address
 * @param {import("../browser/browser_env.js").BrowserEnv} env
 * @param {string} url
 * @param {number} patienceMs
 * @returns {Promise<Json>}
 */
async function read(env, url, patienceMs) {
  const backoff = new Backoff({ patienceMs, random: env.random });
  for (;;) {
    const response = await env
      .fetch(url, { headers: { Accept: "application/json" }, cache: "no-store" })
      .catch(() => null);
    if (response?.ok && isJson(response)) return response.json();
    if (response?.status === 404) throw deletedError();
    if (response && isPermanentRefusal(response)) throw await errorFromResponse(response);
    const wait = backoff.next();
    if (wait === null) throw connectionLostError();
    await env.sleep(wait);
  }
}
