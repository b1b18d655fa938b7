/**
 * Words about what happens: `say` for those who listen, `hint` for those who look as well. Both are
 * polite, and never the answer itself token by token.
 */

const HINT_MS = 6000;
const SAID_MS = 10_000; // long enough to be taken up; then it would only be in the way of a search in the page

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

  /** What is said soon afterwards comes after it, not in its place. @param {string} words */
  say(words) {
    const line = document.createElement("p");
    line.textContent = words;
    this.#announcer.append(line);
    setTimeout(() => line.remove(), SAID_MS);
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
