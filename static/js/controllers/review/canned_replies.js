/** Insert a saved reply into the message box, where it can be changed before it is sent. */

/** @param {HTMLSelectElement | undefined} list @param {HTMLTextAreaElement} field */
export function wireCannedReplies(list, field) {
  list?.addEventListener("change", () => {
    if (!list.value) return;
    const { selectionStart, selectionEnd } = field;
    field.setRangeText(list.value, selectionStart, selectionEnd, "end");
    field.dispatchEvent(new InputEvent("input", { bubbles: true }));
    list.value = "";
    field.focus();
  });
}
