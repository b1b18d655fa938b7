/**
 * Looks again and again, one look after the other, and at once when somebody comes back to the tab. A tab that nobody
 * sees does not look.
 */

import { onReturn } from "./wake_events.js";

export class Poller {
  #look;
  #everyMs;
  #alsoHidden;
  #ended = false;
  #isLooking = false;
  #isWantedAgain = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /**
   * @param {() => Promise<void>} look
   * @param {() => number} everyMs how long until the next one; 0: none until somebody comes back
   * @param {() => boolean} [alsoHidden]
   */
  constructor(look, everyMs, alsoHidden = () => false) {
    this.#look = look;
    this.#everyMs = everyMs;
    this.#alsoHidden = alsoHidden;
    onReturn(() => this.now());
    this.#later();
  }

  /** Looks now; the next one is as far away as ever. */
  async now() {
    this.#isWantedAgain = this.#isLooking;
    if (this.#ended || this.#isLooking) return;
    this.#isLooking = true;
    clearTimeout(this.#timer);
    try {
      if (this.#alsoHidden() || document.visibilityState === "visible") await this.#look();
    } finally {
      this.#isLooking = false;
      if (this.#isWantedAgain) this.now();
      else this.#later();
    }
  }

  end() {
    this.#ended = true;
    clearTimeout(this.#timer);
  }

  #later() {
    clearTimeout(this.#timer);
    const pause = this.#everyMs();
    if (pause && !this.#ended) this.#timer = setTimeout(() => this.now(), pause);
  }
}
