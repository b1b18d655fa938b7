/**
 * Verify that the visitor is human, with the service that the operator has chosen. It runs in a page of its own, so
 * none of its scripts run in the chat's.
 */

import { t } from "../../lib/i18n.js";

/**
 * @param {HTMLElement} place the element to show it before
 * @returns {Promise<string>} the result, which the server verifies
 */
export function solveChallenge(place) {
  const frame = document.createElement("iframe");
  frame.className = "challenge";
  frame.title = t("Confirm you're human");
  frame.src = `challenge${location.search}`;
  place.before(frame);
  return new Promise((resolve) => {
    addEventListener("message", function passed({ source, origin, data }) {
      const isIts = source === frame.contentWindow && origin === location.origin;
      if (!isIts || typeof data?.challenge !== "string") return;
      removeEventListener("message", passed);
      frame.remove();
      resolve(data.challenge);
    });
  });
}
