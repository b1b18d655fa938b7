/** Have a sentence read by the site's speech model. */

import { t } from "../lib/i18n.js";
import { ApiError, errorFromResponse } from "./errors.js";
import { SPEECH_URL } from "./urls.js";

/** The sound, or the rest of it, did not arrive, or the browser cannot play it. */
export function unreadableError() {
  return new ApiError("unreadable", t("Couldn't read this aloud. Check your connection, then try again."));
}

/**
 * @param {import("../browser/browser_env.js").BrowserEnv} env
 * @param {string} text at most 1,000 characters
 * @param {string} language of the page: some models have a voice for each
 * @param {AbortSignal} signal
 * @returns {Promise<Blob>}
 */
export async function fetchSpeech(env, text, language, signal) {
  const headers = { "Content-Type": "application/json", "X-CSRFToken": env.csrfToken() };
  const request = { method: "POST", headers, body: JSON.stringify({ text, language }), signal };
  const response = await env.fetch(SPEECH_URL, request).catch(() => null);
  if (!response) throw unreadableError();
  if (!response.ok) throw await errorFromResponse(response);
  return response.blob().catch(() => {
    throw unreadableError();
  });
}
