/** Let the server read a file: documents, and text in other encodings than UTF-8. */

import { errorFromResponse, unreachableError } from "./errors.js";
import { DOCUMENTS_URL } from "./urls.js";

/**
 * @typedef {{text: string, pages: number, pages_read: number, is_cut: boolean, file?: string, storage_full?: boolean}} DocumentText `file` is the
 *   digest of the file, if it is kept
 */

/**
 * @param {import("../browser/browser_env.js").BrowserEnv} env
 * @param {File} file
 * @param {boolean} isKept whether the server may store it for the question
 * @returns {Promise<DocumentText | import("./errors.js").ApiError>}
 */
export async function readDocument(env, file, isKept) {
  const ending = file.name.slice(file.name.lastIndexOf(".")); // the rest of the name is nobody's business
  const headers = { "Content-Type": "application/octet-stream", Accept: "application/json", "X-CSRFToken": env.csrfToken() };
  const url = `${DOCUMENTS_URL}?${new URLSearchParams({ name: ending, ...(isKept && { keep: "1" }) })}`;
  const response = await env.fetch(url, { method: "POST", headers, body: file }).catch(() => null);
  if (!response) return unreachableError();
  if (!response.ok) return errorFromResponse(response);
  return /** @type {Promise<DocumentText>} */ (response.json()).catch(unreachableError); // it ended in the middle
}
