/** Forms go with the token of now: somebody may have signed in again in another tab since the page came. */

import { readCookie } from "./cookies.js";

const FIELD = "csrfmiddlewaretoken";

export function refreshCsrfFields() {
  const listener = (/** @type {Event} */ { target }) => {
    const field = /** @type {HTMLFormElement} */ (target).elements.namedItem(FIELD);
    const token = readCookie("csrftoken");
    if (token && field instanceof HTMLInputElement) field.value = token;
  };
  document.addEventListener("submit", listener, { capture: true }); // before anything reads the form
}
