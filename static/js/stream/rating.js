/** Telling the server what somebody thinks of an answer. */

import { ratingOf } from "./addresses.js";
import { errorOf, unreachable } from "./errors.js";

/**
 * Throws a `StreamError` where it was not kept.
 * @param {import("./connection.js").World} world
 * @param {string} conversationId
 * @param {number} messageId
 * @param {import("../models/answer.js").Opinion} opinion
 */
export async function sendRating(world, conversationId, messageId, opinion) {
  const headers = {
    "Content-Type": "application/json",
    Accept: "application/json",
    "X-CSRFToken": world.csrfToken(),
  };
  const request = { method: "POST", headers, body: JSON.stringify(opinion) };
  const response = await world.fetch(ratingOf(conversationId, messageId), request).catch(() => null);
  if (!response) throw unreachable();
  if (!response.ok) throw await errorOf(response);
}
