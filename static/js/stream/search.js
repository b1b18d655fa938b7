import { searchFor } from "./addresses.js";
import { errorOf, unreachable } from "./errors.js";

/**
 * @typedef {{id: string, title: string, updated_at: string}} Found
 * @typedef {{id: number, conversation: string, title: string, pieces: [string, boolean][], said_at: string}} Hit
 * a message; of its pieces those that are true are what was looked for
 */

/**
 * The member's chats with these words in the title, newest first, and messages that have them; the newest chats for
 * none.
 * @param {Pick<import("./connection.js").World, "fetch">} world
 * @param {string} query
 * @param {AbortSignal} signal
 * @returns {Promise<{chats: Found[], messages: Hit[]}>}
 */
export async function search(world, query, signal) {
  const request = { headers: { Accept: "application/json" }, cache: /** @type {const} */ ("no-store"), signal };
  const response = await world.fetch(searchFor(query), request).catch((error) => {
    throw signal.aborted ? error : unreachable();
  });
  if (!response.ok) throw await errorOf(response);
  return response.json();
}
