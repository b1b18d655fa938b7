
/**
 * Wire a dialog whose content htmx loads before it opens. It closes on Escape, a click outside, or a click on an element
 * with `data-cancel`.
 * @param {HTMLDialogElement} dialog
 * @param {import("./status.js").Status} status
 */
export function wireDialog(dialog, status) {
  const isOurs = (/** @type {Event} */ event) => {
    return dialog.contains(/** @type {CustomEvent} */ (event).detail.target);
  };
  document.body.addEventListener("htmx:afterSwap", (event) => {
    if (isOurs(event) && !dialog.open) dialog.showModal();
  });
  for (const name of ["htmx:sendError", "htmx:responseError"]) {
    document.body.addEventListener(name, (event) => {
      if (isOurs(event)) status.hintNotLoaded();
    });
  }
  dialog.addEventListener("click", (event) => {
    const cancel = /** @type {Element} */ (event.target).closest("[data-cancel]");
    if (cancel) event.preventDefault();
    if (cancel || (event.target === dialog && isOutside(dialog, event))) dialog.close();
  });
}

/**
 * @param {HTMLElement} element
 * @param {MouseEvent} event
 */
function isOutside(element, { clientX, clientY }) {
  const { left, right, top, bottom } = element.getBoundingClientRect();
  return clientX < left || clientX > right || clientY < top || clientY > bottom;
}
