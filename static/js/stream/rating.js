/** Telling the server what somebody thinks of an answer. */

import { ratingOf } from "./addresses.js";
import { errorOf, unreachable } from "./errors.js";

/**
 * @returns what went wrong; null where it is kept
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
  if (!response) return unreachable();
  return response.ok ? null : errorOf(response);
}
