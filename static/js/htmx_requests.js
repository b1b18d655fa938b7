/**
 * Configure all requests of htmx: send the current CSRF token, and do not insert a response that was redirected to
 * another URL (such as the sign-in page).
 */

import { readCookie } from "./browser/cookies.js";
import { t } from "./lib/i18n.js";

/** @param {{hint: (words: string) => void}} status */
export function configureHtmx(status) {
  document.body.addEventListener("htmx:configRequest", (event) => {
    htmxDetail(event).headers["X-CSRFToken"] = readCookie("csrftoken");
  });
  document.body.addEventListener("htmx:beforeSwap", (event) => {
    const detail = htmxDetail(event);
    if (!wasRedirected(detail)) return;
    detail.shouldSwap = false;
    status.hint(t("You've been signed out. Reload the page to sign in again. Your draft is saved."));
  });
}

/** @typedef {{xhr: XMLHttpRequest, pathInfo: {finalRequestPath: string}}} Ended a request */

/** @param {Ended} detail */
export function wasRedirected({ xhr, pathInfo }) {
  const asked = new URL(pathInfo.finalRequestPath, location.href);
  return new URL(xhr.responseURL || asked).pathname !== asked.pathname;
}

/** @param {Event} event */
export function htmxDetail(event) {
  return /** @type {CustomEvent} */ (event).detail;
}
