/** Telling the server that somebody has seen what was answered. */

import { readingOf } from "./addresses.js";

/**
 * Where it does not get through, the next visit says the same.
 * @param {import("./connection.js").World} world
 * @param {string} conversationId
 */
export async function tellRead(world, conversationId) {
  const request = { method: "POST", headers: { "X-CSRFToken": world.csrfToken() }, keepalive: true };
  await world.fetch(readingOf(conversationId), request).catch(() => null);
}
