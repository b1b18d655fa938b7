import { cancellationOf } from "./addresses.js";

const ATTEMPTS = 3;

/**
 * Asks the server to stop an answer. One that has ended, or that nobody knows any more, needs no stop.
 * @param {import("./connection.js").World} world
 * @param {string} generationId
 * @returns {Promise<boolean>} whether the server knows
 */
export async function cancel(world, generationId) {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    if (attempt > 1) await world.sleep(500 * attempt);
    const response = await world
      .fetch(cancellationOf(generationId), {
        method: "POST",
        headers: { "X-CSRFToken": world.csrfToken(), Accept: "application/json" },
      })
      .catch(() => null);
    if (response?.ok || response?.status === 404) return true;
  }
  return false;
}
