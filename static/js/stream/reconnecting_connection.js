/**
 * One connection after the other, for one reader. With `letsGo`, a tab that is away holds none: it
 * breaks the one there is, and waits until it is back before it opens the next.
 */

import { SseConnection } from "./sse_connection.js";

export class ReconnectingConnection {
  #env;
  #letsGo;
  /** @type {SseConnection | null} */
  #connection = null;

  /**
   * @param {import("../browser/browser_env.js").BrowserEnv} env
   * @param {boolean} letsGo
   */
  constructor(env, letsGo) {
    this.#env = env;
    this.#letsGo = letsGo;
  }

  get isAway() {
    return this.#letsGo && this.#env.presence.isAway;
  }

  /** What the server asked to wait before the next connection, if it did. */
  get retryMilliseconds() {
    return this.#connection?.decoder.retryMilliseconds ?? null;
  }

  async back() {
    if (this.isAway) await this.#env.presence.back();
  }

  /**
   * @param {string} url
   * @param {RequestInit} init
   * @returns {Promise<Response | null>} null where there was none
   */
  open(url, init) {
    this.close();
    this.#connection = new SseConnection(this.#env);
    return this.#connection.open(url, init).catch(() => null);
  }

  /**
   * The events in the body of the response that `open` gave; ends where it ends, or breaks.
   * @param {Response} response
   */
  async *events(response) {
    const connection = /** @type {SseConnection} */ (this.#connection);
    const letGo = () => connection.close();
    const unsubscribe = this.#letsGo ? this.#env.presence.onAway(letGo) : () => {};
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
