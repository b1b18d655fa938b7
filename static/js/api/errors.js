/** Errors of requests and streams, with messages for the user. */

import { t } from "../lib/i18n.js";
import { isJson } from "./responses.js";

/**
 * `code` is the server's, or one of ours: `network`, `lost`, `gone`, `deleted`, `unexpected_response`. The message says what
 * happened and what to do; the typed text is always kept.
 */
export class ApiError extends Error {
  /**
   * @param {string} code
   * @param {string} message
   * @param {{retryable?: boolean, status?: number, reason?: string, retryAfterSeconds?: number}} [facts]
   */
  constructor(code, message, { retryable = true, status = 0, reason = "", retryAfterSeconds = 0 } = {}) {
    super(message);
    this.code = code;
    this.retryable = retryable;
    this.status = status;
    this.reason = reason;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** The request or its response was lost. */
export function unreachableError() {
  return new ApiError(
    "network",
    t("This wasn't sent. Your draft is saved. Check your connection, then try again."),
  );
}

/** The stream broke, and reconnecting failed for too long. */
export function connectionLostError() {
  return new ApiError("lost", t("Connection lost. Try again to get the rest."));
}

/** The stream broke, and the server no longer has the answer. */
export function answerGoneError() {
  return new ApiError("gone", t("The answer was interrupted, and the rest isn't available. Try again."));
}

/** The conversation was deleted, perhaps in another tab, or the website was suspended. */
export function deletedError() {
  const words = t("This chat is no longer available. What you see here isn't saved, so copy what you need.");
  return new ApiError("deleted", words, { retryable: false, status: 404 });
}

/**
 * Return the error for an HTTP response without a stream.
 * @param {Response} response
 */
export async function errorFromResponse(response) {
  const status = response.status;
  const retryAfterSeconds = Number(response.headers.get("Retry-After")) || 0;
  const error = await ownError(response);
  if (error) {
    const { retryable, reason } = error;
    return new ApiError(error.code, t(error.message), { retryable, status, reason, retryAfterSeconds });
  }
  return new ApiError("unexpected_response", wordsFor(status), { retryable: status !== 413, status, retryAfterSeconds });
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
  if (status === 413) return t("This is too long for this site. Shorten it. Your draft is saved.");
  if (status === 429) return t("Too many requests. Your draft is saved. Wait a moment, then try again.");
  if (status >= 500) {
    const number = String(status);
    return t("The site isn't responding right now (error {number}). Your draft is saved. Try again in a moment.", { number });
  }
  return t("The response didn't come from this site. Your draft is saved. Check your connection, then try again.");
}
