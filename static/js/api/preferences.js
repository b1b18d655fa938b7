import { SETTINGS_URL } from "./urls.js";

/**
 * Store one setting, which the page already shows.
 * @param {import("../browser/browser_env.js").BrowserEnv} env
 * @param {string} name
 * @param {string} value
 * @returns {Promise<boolean>} whether it is stored
 */
export async function savePreference(env, name, value) {
  const headers = { "X-CSRFToken": env.csrfToken(), "HX-Request": "true" };
  const body = new URLSearchParams({ [name]: value });
  const response = await env.fetch(SETTINGS_URL, { method: "POST", headers, body }).catch(() => null);
  return Boolean(response?.ok && !response.redirected);
}
