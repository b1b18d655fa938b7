/** Add files to a collection, which the server reads and indexes later. */

import { ApiError, errorFromResponse } from "./errors.js";
import { isJson } from "./responses.js";
import { ADD_DOCUMENTS_URL } from "./urls.js";
import { t } from "../lib/i18n.js";

/** @typedef {{added: {id: string, name: string}[], refused: {name: string, reason: string}[]}} AddedFiles of a ZIP file several */

/**
 * @param {import("../browser/browser_env.js").BrowserEnv} env
 * @param {string} collection its ID
 * @param {string} path the file's name after those of its folders
 * @param {File} file
 * @param {AbortSignal} signal
 * @returns {Promise<{added: AddedFiles} | {error: ApiError, waitMs: number}>} `waitMs` is what the server asks for
 */
export async function addDocument(env, collection, path, file, signal) {
  const headers = { "Content-Type": "application/octet-stream", Accept: "application/json", "X-CSRFToken": env.csrfToken() };
  const url = `${ADD_DOCUMENTS_URL}?${new URLSearchParams({ collection, name: path })}`;
  const response = await env.fetch(url, { method: "POST", headers, body: file, signal }).catch(() => null);
  if (!response) return { error: notSent(), waitMs: 0 };
  if (!response.ok) return { error: await errorFromResponse(response), waitMs: Number(response.headers.get("Retry-After")) * 1000 || 0 };
  const added = isJson(response) ? await response.json().catch(() => null) : null;
  return added ? { added } : { error: notSent(), waitMs: 0 };
}

/** The connection was lost, or the file can't be read any more. */
function notSent() {
  return new ApiError("network", t("This file wasn't sent. Check your connection, then try again."));
}
