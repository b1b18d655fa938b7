/**
 * When to retry: exponential backoff with jitter, so that many tabs do not retry at once, and with an end. It adds up
 * the waits instead of reading the clock: a machine that slept overnight was not refused all night. Pure; takes the
 * random source.
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
