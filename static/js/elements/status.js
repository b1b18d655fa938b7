/**
 * Words about what happens: `say` for those who listen, `hint` for those who look as well. Both are
 * polite, and never the answer itself token by token.
 */

const HINT_MS = 6000;

export class Status {
  #announcer;
  #hint;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /**
   * @param {HTMLElement} announcer
   * @param {HTMLElement} hint
   */
  constructor(announcer, hint) {
    this.#announcer = announcer;
    this.#hint = hint;
  }

  /** @param {string} words */
  say(words) {
    this.#announcer.textContent = words;
  }

  /** @param {string} words shown for a while, beneath the composer */
  hint(words) {
    this.#hint.textContent = words;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.clearHint(), HINT_MS);
  }

  clearHint() {
    this.#hint.textContent = "";
  }
}
