/**
 * When to try again: exponential, with jitter so that many tabs do not come back at the same moment,
 * and with an end. It counts the time it has told others to wait, not the clock's: a machine that
 * slept for a night has not been refused for a night. Pure; the dice are given.
 */

export class Backoff {
  #failures = 0;
  #waitedMs = 0;
  #random;
  #longestMs;
  #patienceMs;

  /**
   * @param {object} [options]
   * @param {number} [options.firstMs] the first wait, before jitter
   * @param {number} [options.longestMs] the longest wait, before jitter
   * @param {number} [options.patienceMs] how much waiting after the last success is enough
   * @param {() => number} [options.random]
   */
  constructor({
    firstMs = 1000,
    longestMs = 15_000,
    patienceMs = 600_000,
    random = Math.random,
  } = {}) {
    this.firstMs = firstMs;
    this.#longestMs = longestMs;
    this.#patienceMs = patienceMs;
    this.#random = random;
  }

  /** It worked, or may work again: start from the beginning next time. */
  reset() {
    this.#failures = 0;
    this.#waitedMs = 0;
  }

  /** Milliseconds to wait before the next attempt, between half and the whole of the step; null: give up. */
  next() {
    if (this.#waitedMs >= this.#patienceMs) return null;
    const step = Math.min(this.firstMs * 2 ** this.#failures++, this.#longestMs);
    const wait = Math.round(step * (0.5 + this.#random() / 2));
    this.#waitedMs += wait;
    return wait;
  }
}
