/**
 * One HTTP connection that carries a stream: bytes in, events out, with a watchdog. The server sends at least a
 * heartbeat every 15 seconds; a connection that is silent for longer is dead, even if the operating system does not
 * notice.
 */

import { SseDecoder } from "../lib/sse.js";

const SILENCE_MS = 45_000;
const MAX_EVENT_LENGTH = 1024 * 1024;

/** @typedef {import("../browser/browser_env.js").BrowserEnv} BrowserEnv */

export class SseConnection {
  #env;
  #abort = new AbortController();
  #lastByteAt;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #silenceMs;
  decoder = new SseDecoder(MAX_EVENT_LENGTH);

  /**
   * @param {BrowserEnv} env
   * @param {number} [silenceMs]
   */
  constructor(env, silenceMs = SILENCE_MS) {
    this.#env = env;
    this.#silenceMs = silenceMs;
    this.#lastByteAt = env.now();
  }

  /**
   * @param {string} url
   * @param {RequestInit} init
   */
  async open(url, init) {
    this.#heard();
    try {
      return await this.#env.fetch(url, { ...init, signal: this.#abort.signal });
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /**
   * Yield the events in the body of `response`; return when it ends, throw if it breaks.
   * @param {Response} response
   */
  async *events(response) {
    const reader = /** @type {ReadableStream<Uint8Array>} */ (response.body).getReader();
    const unsubscribe = this.#env.onWake(() => this.#closeIfSilent());
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        this.#heard();
        yield* this.decoder.feed(value);
      }
    } finally {
      unsubscribe();
      reader.cancel().catch(() => {});
      this.close();
    }
  }

  close() {
    clearTimeout(this.#timer);
    this.#abort.abort();
  }

  #heard() {
    this.#lastByteAt = this.#env.now();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.close(), this.#silenceMs);
  }

  /** Close a connection without data. This compares times, because timers stop while the machine sleeps. */
  #closeIfSilent() {
    if (this.#env.now() - this.#lastByteAt >= this.#silenceMs) this.close();
  }
}
