/**
 * One connection after the other, for one reader. With `letsGo`, a tab that is away holds none: it
 * breaks the one there is, and waits until it is back before it opens the next.
 */

import { Connection } from "./connection.js";

export class Line {
  #world;
  #letsGo;
  /** @type {Connection | null} */
  #connection = null;

  /**
   * @param {import("./connection.js").World} world
   * @param {boolean} letsGo
   */
  constructor(world, letsGo) {
    this.#world = world;
    this.#letsGo = letsGo;
  }

  get isAway() {
    return this.#letsGo && this.#world.presence.isAway;
  }

  /** What the server asked to wait before the next connection, if it did. */
  get retryMilliseconds() {
    return this.#connection?.decoder.retryMilliseconds ?? null;
  }

  async back() {
    if (this.isAway) await this.#world.presence.back();
  }

  /**
   * @param {string} url
   * @param {RequestInit} init
   * @returns {Promise<Response | null>} null where there was none
   */
  open(url, init) {
    this.close();
    this.#connection = new Connection(this.#world);
    return this.#connection.open(url, init).catch(() => null);
  }

  /**
   * The events in the body of the response that `open` gave; ends where it ends, or breaks.
   * @param {Response} response
   */
  async *events(response) {
    const connection = /** @type {Connection} */ (this.#connection);
    const letGo = () => connection.close();
    const unsubscribe = this.#letsGo ? this.#world.presence.onAway(letGo) : () => {};
    try {
      yield* connection.events(response);
    } catch {
      // The connection broke; what is missing comes with the next one.
    } finally {
      unsubscribe();
    }
  }

  close() {
    this.#connection?.close();
  }
}
