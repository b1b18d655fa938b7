import { copyText } from "../../browser/clipboard.js";
import { t } from "../../lib/i18n.js";

const SHOWN_MS = 6000;

/**
 * Make each button within `root` that names a field copy its content, and confirm it beside the button.
 * @param {Element} root
 */
export function wireCopyFields(root) {
  root.addEventListener("click", async ({ target }) => {
    const button = /** @type {HTMLElement | null} */ (/** @type {Element} */ (target).closest("[data-copies]"));
    if (!button) return;
    const field = /** @type {HTMLInputElement} */ (document.getElementById(button.dataset.copies ?? ""));
    const worked = await copyText(field.value);
    if (!worked) field.select();
    const note = button.closest("li, section")?.querySelector("[role=status]");
    if (!note) return;
    note.textContent = worked ? t("Copied.") : t("The browser blocked copying. Select the text instead.");
    setTimeout(() => (note.textContent = ""), SHOWN_MS);
  });
}
