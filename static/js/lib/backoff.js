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
   * @param {number} [options.patienceMs] when to give up: the sum of waits since the last success
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

  /** Start from the first step again. */
  reset() {
    this.#failures = 0;
    this.#waitedMs = 0;
  }

  /** Return the milliseconds before the next attempt, between half the step and the whole; null: give up. */
  next() {
    if (this.#waitedMs >= this.#patienceMs) return null;
    const step = Math.min(this.firstMs * 2 ** this.#failures++, this.#longestMs);
    const wait = Math.round(step * (0.5 + this.#random() / 2));
    this.#waitedMs += wait;
    return wait;
  }
}
