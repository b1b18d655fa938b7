import { searchFor } from "./addresses.js";
import { errorOf, unreachable } from "./errors.js";

/** @typedef {{id: string, title: string, updated_at: string}} Found */

/**
 * The member's chats with these words in the title, newest first; the newest ones for none.
 * @param {Pick<import("./connection.js").World, "fetch">} world
 * @param {string} query
 * @param {AbortSignal} signal
 * @returns {Promise<Found[]>}
 */
export async function searchChats(world, query, signal) {
  const request = { headers: { Accept: "application/json" }, cache: /** @type {const} */ ("no-store"), signal };
  const response = await world.fetch(searchFor(query), request).catch((error) => {
    throw signal.aborted ? error : unreachable();
  });
  if (!response.ok) throw await errorOf(response);
  const { chats } = await response.json();
  return chats;
}
