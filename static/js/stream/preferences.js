import { SETTINGS } from "./addresses.js";

/**
 * Stores one setting; the page shows it already.
 * @param {import("./connection.js").World} world
 * @param {string} name
 * @param {string} value
 * @returns {Promise<boolean>} whether it is stored
 */
export async function savePreference(world, name, value) {
  const headers = { "X-CSRFToken": world.csrfToken(), "HX-Request": "true" };
  const body = new URLSearchParams({ [name]: value });
  const response = await world.fetch(SETTINGS, { method: "POST", headers, body }).catch(() => null);
  return Boolean(response?.ok && !response.redirected);
}
