/** The state of a chat in an inbox, on an open page: colleagues and visitors change it. */

import { t } from "../../lib/i18n.js";
import { partsIn, showText } from "../ui/template_parts.js";

/** @typedef {import("../../api/staff_review.js").Handling} Handling */

export class HandledChat {
  #parts;
  #shown = "";

  /** @param {HTMLElement} root */
  constructor(root) {
    this.#parts = /** @type {{state: HTMLElement, facts: HTMLElement, close: HTMLElement, reopen: HTMLElement}} */ (partsIn(root));
  }

  /** @param {Handling} handling */
  show({ state, facts }) {
    const now = JSON.stringify([state, facts]);
    if (now === this.#shown) return;
    this.#shown = now;
    const { close, reopen } = this.#parts;
    close.hidden = state === "closed";
    reopen.hidden = state === "open";
    showText(this.#parts.state, { open: t("Open chat"), snoozed: t("Snoozed"), closed: t("Closed") }[state]);
    this.#parts.facts.replaceChildren(...facts.map(line));
  }
}

/** @param {string} fact */
function line(fact) {
  const item = document.createElement("li");
  item.dir = "auto";
  item.textContent = fact;
  return item;
}
