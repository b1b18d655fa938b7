/** Fold long turns of a chat that staff read, so that many fit on a page. Without scripts, all of them are open. */

import { t } from "../../lib/i18n.js";

/** @param {HTMLElement} thread */
export function wireFolding(thread) {
  const buttons = /** @type {NodeListOf<HTMLElement>} */ (thread.querySelectorAll(".turn-folding-button"));
  for (const button of buttons) {
    const turn = /** @type {HTMLElement} */ (button.closest(".turn"));
    button.addEventListener("click", () => {
      show(turn, button, !turn.hasAttribute("data-unfolded"));
      if (!turn.hasAttribute("data-unfolded")) turn.scrollIntoView({ block: "nearest" });
    });
    // The keyboard reaches links in the folded part, which must then be seen.
    turn.querySelector(":scope > .message-text")?.addEventListener("focusin", () => show(turn, button, true));
  }
  addEventListener("hashchange", unfoldTarget);
  unfoldTarget();

  function unfoldTarget() {
    const turn = document.getElementById(location.hash.slice(1));
    const button = /** @type {HTMLElement | null | undefined} */ (turn?.querySelector(":scope > .turn-folding-button"));
    if (turn && button) show(turn, button, true);
  }
}

/** @param {HTMLElement} turn @param {HTMLElement} button @param {boolean} isOpen */
function show(turn, button, isOpen) {
  turn.toggleAttribute("data-unfolded", isOpen);
  button.setAttribute("aria-expanded", String(isOpen));
  button.textContent = isOpen ? t("Show less") : t("Show more");
}
