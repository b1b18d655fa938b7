/** Submit forms with the current CSRF token: the user may have signed in again in another tab. */

import { readCookie } from "./cookies.js";

const FIELD = "csrfmiddlewaretoken";

export function refreshCsrfFields() {
  const listener = (/** @type {Event} */ { target }) => {
    const field = /** @type {HTMLFormElement} */ (target).elements.namedItem(FIELD);
    const token = readCookie("csrftoken");
    if (token && field instanceof HTMLInputElement) field.value = token;
  };
  document.addEventListener("submit", listener, { capture: true }); // runs before other listeners read the form
}
