/**
 * When to try again: exponential, with jitter so that many tabs do not come back at the same moment,
 * and with an end. Pure: the clock and the dice are given.
 */

export class Backoff {
  #failures = 0;
  #since;
  #now;
  #random;
  #longestMs;
  #patienceMs;

  /**
   * @param {object} [options]
   * @param {number} [options.firstMs] the first wait, before jitter
   * @param {number} [options.longestMs] the longest wait, before jitter
   * @param {number} [options.patienceMs] how long after the last success it gives up
   * @param {() => number} [options.now]
   * @param {() => number} [options.random]
   */
  constructor({
    firstMs = 1000,
    longestMs = 15_000,
    patienceMs = 600_000,
    now = Date.now,
    random = Math.random,
  } = {}) {
    this.firstMs = firstMs;
    this.#longestMs = longestMs;
    this.#patienceMs = patienceMs;
    this.#now = now;
    this.#random = random;
    this.#since = now();
  }

  /** It worked: start from the beginning next time. */
  reset() {
    this.#failures = 0;
    this.#since = this.#now();
  }

  /** Milliseconds to wait before the next attempt, between half and the whole of the step; null: give up. */
  next() {
    if (this.#now() - this.#since >= this.#patienceMs) return null;
    const step = Math.min(this.firstMs * 2 ** this.#failures++, this.#longestMs);
    return Math.round(step * (0.5 + this.#random() / 2));
  }
}
