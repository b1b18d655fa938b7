/** Warnings from staff, shown to a visitor above the message box until they confirm reading them. */

/**
 * @param {HTMLElement} before
 * @param {{id: number, text: string}[]} warnings
 * @param {(id: number) => Promise<void>} read
 */
export function showWarnings(before, warnings, read) {
  for (const old of document.querySelectorAll(".staff-warning")) old.remove();
  const template = /** @type {HTMLTemplateElement} */ (document.getElementById("warning-template"));
  for (const { id, text } of warnings) {
    const box = /** @type {HTMLElement} */ (template.content.firstElementChild?.cloneNode(true));
    /** @type {HTMLElement} */ (box.querySelector(".message-text")).textContent = text;
    box.querySelector("button")?.addEventListener("click", async () => {
      await read(id);
      box.remove();
      /** @type {HTMLElement} */ (before.querySelector("textarea")).focus();
    });
    before.before(box);
  }
}
