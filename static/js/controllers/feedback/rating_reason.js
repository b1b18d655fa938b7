/** Ask for the reason of a bad rating, in one card that all answers of the page share. Loaded on demand. */

/** @typedef {{reason: string, comment: string}} Reason */

/**
 * @param {HTMLElement} button the rating button that was pressed
 * @param {Partial<Reason>} before the reason given earlier
 * @param {(reason: Reason) => Promise<boolean>} explain stores the reason; returns whether that worked. If not, the card keeps it
 */
export function askReason(button, before, explain) {
  const card = /** @type {HTMLElement} */ (document.getElementById("why-card"));
  const form = /** @type {HTMLFormElement} */ (card.querySelector("form"));
  fill(form, before);
  form.onsubmit = async (event) => {
    event.preventDefault();
    const given = new FormData(form);
    const isKept = await explain({
      reason: String(given.get("reason") ?? ""),
      comment: String(given.get("comment") ?? ""),
    });
    if (!isKept) return;
    card.hidePopover();
    button.focus();
  };
  card.showPopover({ source: button });
  /** @type {HTMLElement | null} */ (form.querySelector("input:checked, input"))?.focus();
}

/** @param {HTMLFormElement} form @param {Partial<Reason>} before */
function fill(form, { reason = "", comment = "" }) {
  form.reset();
  const chosen = form.querySelector(`input[value="${CSS.escape(reason)}"]`);
  if (chosen) /** @type {HTMLInputElement} */ (chosen).checked = true;
  /** @type {HTMLTextAreaElement} */ (form.elements.namedItem("comment")).value = comment;
}
