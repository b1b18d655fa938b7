/**
 * Consecutive connections for one reader. With `releasesWhenAway`, a tab that is away closes its connection and opens
 * the next when it returns.
 */

import { SseConnection } from "./sse_connection.js";

export class StreamConnection {
  #env;
  #releasesWhenAway;
  /** @type {SseConnection | null} */
  #connection = null;

  /**
   * @param {import("../browser/browser_env.js").BrowserEnv} env
   * @param {boolean} releasesWhenAway
   */
  constructor(env, releasesWhenAway) {
    this.#env = env;
    this.#releasesWhenAway = releasesWhenAway;
  }

  get isAway() {
    return this.#releasesWhenAway && this.#env.presence.isAway;
  }

  /** What the server asked to wait before the next connection, if it did. */
  get retryMilliseconds() {
    return this.#connection?.decoder.retryMilliseconds ?? null;
  }

  async whenBack() {
    if (this.isAway) await this.#env.presence.whenBack();
  }

  /**
   * @param {string} url
   * @param {RequestInit} init
   * @returns {Promise<Response | null>} null if there was none
   */
  open(url, init) {
    this.close();
    this.#connection = new SseConnection(this.#env);
    return this.#connection.open(url, init).catch(() => null);
  }

  /**
   * Yield the events in the body of a response from `open`; return when it ends or breaks.
   * @param {Response} response
   */
  async *events(response) {
    const connection = /** @type {SseConnection} */ (this.#connection);
    const release = () => connection.close();
    const unsubscribe = this.#releasesWhenAway ? this.#env.presence.onAway(release) : () => {};
    try {
      yield* connection.events(response);
    } catch {
      // The connection broke; the next one resumes.
    } finally {
      unsubscribe();
    }
  }

  close() {
    this.#connection?.close();
  }
}
