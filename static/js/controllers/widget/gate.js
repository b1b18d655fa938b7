/** Keeps elements away from a visitor while there is a reason to, such as a text that they must agree to first. */

export class Gate {
  #elements;
  /** @type {Set<string>} */
  #reasons = new Set();

  /** @param {HTMLElement[]} elements */
  constructor(elements) {
    this.#elements = elements;
  }

  /** @param {string} reason @param {boolean} isClosed */
  set(reason, isClosed) {
    if (isClosed) this.#reasons.add(reason);
    else this.#reasons.delete(reason);
    for (const each of this.#elements) each.hidden = this.#reasons.size > 0;
  }
}
