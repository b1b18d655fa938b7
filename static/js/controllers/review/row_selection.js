/** Select rows: all at once, or the focused one with `x`, and show how many. Without scripts there are checkboxes. */

import { plural, t } from "../../lib/i18n.js";

/** @param {HTMLFormElement} form */
export function wireSelection(form) {
  const all = /** @type {HTMLInputElement} */ (form.querySelector("[data-all]"));
  const count = /** @type {HTMLElement} */ (form.querySelector("[data-count]"));
  const actions = /** @type {NodeListOf<HTMLButtonElement>} */ (form.querySelectorAll(".bulk-actions button"));
  const boxes = /** @type {HTMLInputElement[]} */ ([...form.querySelectorAll('tbody input[type="checkbox"]')]);
  /** @type {HTMLElement} */ (all.parentElement).hidden = false;
  all.addEventListener("change", () => {
    for (const box of boxes) box.checked = all.checked;
  });
  form.addEventListener("change", show);
  document.addEventListener("keydown", (event) => {
    if (event.key !== "x" || event.ctrlKey || event.metaKey || event.altKey) return;
    const box = /** @type {Element} */ (event.target).closest?.("a[data-step]")?.closest("tr")?.querySelector("input");
    box?.click();
  });
  show();

  function show() {
    const chosen = boxes.filter((box) => box.checked).length;
    all.checked = chosen === boxes.length;
    all.indeterminate = chosen > 0 && !all.checked;
    for (const button of actions) button.disabled = !chosen;
    count.textContent = chosen ? plural(chosen, "{count} selected", "{count} selected") : t("None selected");
  }
}
