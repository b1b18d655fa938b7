/** What can go wrong on the way to an answer, in words for a person. */

import { t } from "../lib/i18n.js";
import { isJson } from "./responses.js";

/**
 * `code` is the server's, or one of ours: `network`, `lost`, `gone`, `deleted`, `not_understood`.
 * The message says what happened and what to do; the text that was typed is kept in any case.
 */
export class ApiError extends Error {
  /**
   * @param {string} code
   * @param {string} message
   * @param {{retryable?: boolean, status?: number}} [facts]
   */
  constructor(code, message, { retryable = true, status = 0 } = {}) {
    super(message);
    this.code = code;
    this.retryable = retryable;
    this.status = status;
  }
}

/** The request did not get through, or its answer did not come back. */
export function unreachableError() {
  return new ApiError(
    "network",
    t("This did not reach the site. Your text is kept. Check the connection, then try again."),
  );
}

/** The stream broke and could not be taken up again for long. */
export function connectionLostError() {
  return new ApiError("lost", t("The connection to the site is lost. Try again to have the rest."));
}

/** The stream broke, and the site has nothing of it any more. */
export function answerGoneError() {
  return new ApiError("gone", t("The answer broke off, and the site has no more of it. Try again."));
}

/** Somebody has deleted the conversation, perhaps in another tab. */
export function deletedError() {
  const words = t("This chat has been deleted. What you see here is not kept; copy what you need.");
  return new ApiError("deleted", words, { retryable: false, status: 404 });
}

/**
 * The error that an HTTP answer without a stream stands for.
 * @param {Response} response
 */
export async function errorFromResponse(response) {
  const status = response.status;
  const error = await ownError(response);
  if (error) {
    return new ApiError(error.code, t(error.message), { retryable: error.retryable, status });
  }
  return new ApiError("not_understood", wordsFor(status), { retryable: status !== 413, status });
}

/** @param {Response} response */
async function ownError(response) {
  if (!isJson(response)) return null;
  try {
    const { error } = await response.json();
    return typeof error?.message === "string" && typeof error.code === "string" ? error : null;
  } catch {
    return null;
  }
}

/** @param {number} status */
function wordsFor(status) {
  if (status === 413) return t("This is longer than the site takes. Your text is kept. Shorten it.");
  if (status === 429) return t("Too much at once. Your text is kept. Wait a moment, then try again.");
  if (status >= 500) {
    const number = String(status);
    return t("The site does not answer right now ({number}). Your text is kept. Try again in a moment.", { number });
  }
  return t("Something else answered in the site's place. Your text is kept. Check the connection, then try again.");
}
