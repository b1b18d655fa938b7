/** Telling the people who run the site of an answer, or of a chat. */

import { reportOf } from "./addresses.js";
import { errorOf, unreachable } from "./errors.js";

/**
 * @returns what went wrong; null where it has arrived
 * @param {import("./connection.js").World} world
 * @param {string} conversationId
 * @param {number} messageId 0: all of the chat
 * @param {object} report
 */
export async function sendReport(world, conversationId, messageId, report) {
  const headers = {
    "Content-Type": "application/json",
    Accept: "application/json",
    "X-CSRFToken": world.csrfToken(),
  };
  const request = { method: "POST", headers, body: JSON.stringify(report) };
  const response = await world.fetch(reportOf(conversationId, messageId), request).catch(() => null);
  if (!response) return unreachable();
  return response.ok ? null : errorOf(response);
}
