/** What the server keeps, as JSON: one message, or a whole conversation. */

import { Backoff } from "../lib/retry.js";
import { messageOf, pageOf, sendOf } from "./addresses.js";
import { deleted, errorOf, lost } from "./errors.js";
import { isFinal, isJson } from "./responses.js";

const PATIENCE_MS = 60_000;

/**
 * A message as the server shows it to whoever asks; see chat/web/messages/message_out.py.
 * @typedef {{
 *   id: number, parent: number | null, role: "user" | "assistant", text: string, reasoning: string,
 *   created_at: string, generation?: string, state?: string, model?: string, finish_reason?: string, reasoning_effort?: string,
 *   omitted_messages?: number, base_length?: number, error?: import("../models/answer.js").Problem,
 *   usage?: import("../models/answer.js").Answer["usage"], timing?: import("../models/answer.js").Timing,
 *   rating?: import("../models/answer.js").Opinion, versions?: number[], is_hidden?: boolean, is_person?: boolean,
 * }} Turn
 */

/**
 * @param {import("./connection.js").World} world
 * @param {string} conversationId
 * @param {number} messageId
 * @returns {Promise<Turn>}
 */
export function storedMessage(world, conversationId, messageId) {
  return read(world, messageOf(conversationId, messageId), PATIENCE_MS);
}

/**
 * @param {import("./connection.js").World} world
 * @param {string} conversationId
 * @param {{at?: number, before?: number}} [place] a message: the branch through it, or what led to it
 * @returns {Promise<{title: string, turns: Turn[], has_earlier: boolean, is_newest: boolean}>}
 */
export function storedConversation(world, conversationId, place = {}) {
  const query = Object.entries(place).filter(([, id]) => id).map(([name, id]) => `?${name}=${id}`);
  return read(world, pageOf(conversationId) + query.join(""), 0);
}

/**
 * The conversation that a send is stored in; "" if it is not, or nobody can tell.
 * @param {import("./connection.js").World} world
 * @param {string} key
 */
export async function conversationOfSend(world, key) {
  const request = { headers: { Accept: "application/json" }, cache: /** @type {const} */ ("no-store") };
  const response = await world.fetch(sendOf(key), request).catch(() => null);
  return response?.ok && isJson(response) ? String((await response.json()).conversation) : "";
}

/**
 * @param {import("./connection.js").World} world
 * @param {string} url
 * @param {number} patienceMs
 */
async function read(world, url, patienceMs) {
  const backoff = new Backoff({ patienceMs, random: world.random });
  for (;;) {
    const response = await world
      .fetch(url, { headers: { Accept: "application/json" }, cache: "no-store" })
      .catch(() => null);
    if (response?.ok && isJson(response)) return response.json();
    if (response?.status === 404) throw deleted();
    if (response && isFinal(response)) throw await errorOf(response);
    const wait = backoff.next();
    if (wait === null) throw lost();
    await world.sleep(wait);
  }
}
