/**
 * A message about the last action, with an Undo button. The server renders it above the composer; this announces it, moves
 * it into the drawer while that is open, and removes it after its time, unless the user is about to use it.
 */

import { t } from "../../lib/i18n.js";

export class Toast {
  #element;
  #status;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  #drawer;

  /**
   * @param {HTMLElement} element
   * @param {import("./status.js").Status} status
   * @param {HTMLElement} drawer covers the page while it is open
   */
  constructor(element, status, drawer) {
    this.#element = element;
    this.#status = status;
    this.#drawer = drawer;
    element.addEventListener("click", ({ target }) => {
      if (/** @type {Element} */ (target).closest(".toast-close")) this.close();
    });
    drawer.addEventListener("toggle", () => this.#place());
    document.body.addEventListener("conversations", () => this.show()); // a response contained one
    this.show();
  }

  undo() {
    this.#button?.click();
  }

  get canUndo() {
    return !this.#element.hidden && Boolean(this.#button);
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
    this.#element.hidden = true;
    this.#element.removeAttribute("data-shown");
  }

  /** Show the current content for as long as it can be undone. */
  show() {
    const line = this.#element.querySelector("p");
    this.close();
    if (!line) return;
    this.#place();
    this.#element.hidden = false;
    this.#element.setAttribute("data-shown", "");
    const words = line.textContent ?? "";
    const seconds = Number(line.dataset.seconds);
    this.#status.say(this.#button ? t("{words} You can undo this for {seconds} seconds.", { words, seconds }) : words);
    this.#leaveIn(seconds);
  }

  /** Where it is seen now. */
  #place() {
    if (this.#drawer.matches(":popover-open")) this.#drawer.querySelector(".sidebar-foot")?.before(this.#element);
    else if (this.#drawer.contains(this.#element)) document.querySelector(".composer-dock")?.prepend(this.#element);
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
