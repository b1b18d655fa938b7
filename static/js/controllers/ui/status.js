/**
 * Status messages: `say` for screen readers only, `hint` for everyone. Both are polite, and never read the answer
 * itself token by token.
 */

import { ApiError } from "../../api/errors.js";
import { whenIdle } from "../../browser/idle.js";
import { t } from "../../lib/i18n.js";

const HINT_MS = 6000;
const SAID_MS = 10_000; // long enough for screen readers; afterwards, find-in-page would only find it twice
const PIECE = /[^]{1,4000}(?:\n|$)|[^]{1,4000}\s|[^]{1,4000}/g; // laying out more at once would take too long

export class Status {
  #announcer;
  #hint;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** @type {string[]} */
  #toSay = [];
  #isSaying = false;

  /**
   * @param {HTMLElement} announcer
   * @param {HTMLElement} hint
   */
  constructor(announcer, hint) {
    this.#announcer = announcer;
    this.#hint = hint;
  }

  /** Announce after earlier messages instead of replacing them. @param {string} words */
  say(words) {
    this.#toSay.push(...(words.match(PIECE) ?? []));
    if (!this.#isSaying) this.#sayNext();
  }

  #sayNext() {
    const line = document.createElement("p");
    line.textContent = this.#toSay.shift() ?? "";
    this.#announcer.append(line);
    setTimeout(() => line.remove(), SAID_MS);
    this.#isSaying = this.#toSay.length > 0;
    if (this.#isSaying) whenIdle(() => this.#sayNext());
  }

  /** @param {string} words shown for a while, beneath the composer */
  hint(words) {
    this.#hint.textContent = words;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.clearHint(), HINT_MS);
  }

  /** A script or a part of the page that is loaded on demand couldn't be. */
  hintNotLoaded() {
    this.hint(t("Couldn't load this. Check your connection, or reload the page."));
  }

  /** Report that an action of the user failed. @param {unknown} error */
  hintError(error) {
    if (!(error instanceof ApiError)) throw error;
    this.hint(error.message);
  }

  /** Remove a hint whose cause has gone, unless another one is shown. @param {string} words */
  retract(words) {
    if (this.#hint.textContent === words) this.clearHint();
  }

  clearHint() {
    this.#hint.textContent = "";
  }
}
