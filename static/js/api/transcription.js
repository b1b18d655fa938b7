import { t } from "../lib/i18n.js";
import { ApiError, errorFromResponse } from "./errors.js";
import { TRANSCRIPTION_URL } from "./urls.js";

/**
 * Return what is said in a recording.
 * @param {import("../browser/browser_env.js").BrowserEnv} env
 * @param {Blob} recording
 * @param {string} language that is probably spoken
 * @returns {Promise<string>}
 * @throws {import("./errors.js").ApiError}
 */
export async function transcribe(env, recording, language) {
  const url = `${TRANSCRIPTION_URL}?${new URLSearchParams({ language })}`;
  const headers = { "Content-Type": recording.type, Accept: "application/json", "X-CSRFToken": env.csrfToken() };
  const response = await env.fetch(url, { method: "POST", headers, body: recording }).catch(() => null);
  if (!response) throw new ApiError("network", t("The site can't be reached. What you said is kept here until you try again."));
  if (!response.ok) throw await errorFromResponse(response);
  return (await response.json()).text;
}
