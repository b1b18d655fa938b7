/** Send a note with Ctrl+Enter or Cmd+Enter. Enter alone begins a new line. */

import { isComposing } from "../../browser/ime.js";

/** @param {HTMLTextAreaElement} field */
export function sendWithKeys(field) {
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || isComposing(event)) return;
    event.preventDefault();
    if (field.value.trim()) field.form?.requestSubmit();
  });
}
