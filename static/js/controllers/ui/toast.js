/**
 * A message about the last action, with an Undo button. The server renders it; this shows it above everything else,
 * announces it, and removes it after its time, unless the user is about to use it.
 */

import { t } from "../../lib/i18n.js";

export class Toast {
  #element;
  #status;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /**
   * @param {HTMLElement} element
   * @param {import("./status.js").Status} status
   */
  constructor(element, status) {
    this.#element = element;
    this.#status = status;
    element.popover = "manual"; // without scripts, it is an ordinary element of the page
    document.body.addEventListener("conversations", () => this.show()); // a response contained one
    this.show();
  }

  undo() {
    this.#button?.click();
  }

  get canUndo() {
    return this.#element.matches(":popover-open") && Boolean(this.#button);
  }

  /**
   * Offer to undo an action of the page itself.
   * @param {string} name of the template with its words and its button
   * @param {number} seconds
   * @param {() => void} undo
   */
  offer(name, seconds, undo) {
    const template = /** @type {HTMLTemplateElement} */ (document.getElementById(name));
    this.#element.replaceChildren(template.content.cloneNode(true));
    /** @type {HTMLElement} */ (this.#element.querySelector("p")).dataset.seconds = String(seconds);
    this.#button?.addEventListener("click", undo);
    this.show();
    this.#button?.focus({ preventScroll: true });
  }

  close() {
    if (this.#element.matches(":popover-open")) this.#element.hidePopover();
  }

  /** Show the current content for as long as it can be undone. */
  show() {
    const line = this.#element.querySelector("p");
    this.close();
    if (!line) return;
    this.#element.showPopover(); // above a drawer that is already open, too
    const words = line.textContent ?? "";
    const seconds = Number(line.dataset.seconds);
    this.#status.say(this.#button ? t("{words} You can undo this for {seconds} seconds.", { words, seconds }) : words);
    this.#leaveIn(seconds);
  }

  /** @param {number} seconds */
  #leaveIn(seconds) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (this.#element.matches(":hover, :focus-within") && this.#button) this.#leaveIn(1);
      else this.close();
    }, seconds * 1000);
  }

  /** @returns {HTMLButtonElement | null} */
  get #button() {
    return this.#element.querySelector(".undo");
  }
}
