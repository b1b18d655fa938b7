/**
 * One HTTP connection that carries a stream: bytes in, events out, with a watchdog. The server sends
 * something every 15 seconds, if only a heartbeat; a connection that is silent for longer is dead,
 * whatever the operating system believes.
 */

import { SseDecoder } from "../lib/sse.js";

const SILENCE_MS = 45_000;
const MAX_EVENT_LENGTH = 1024 * 1024;

/**
 * What a connection needs of the world; tests bring their own.
 * @typedef {object} World
 * @property {typeof fetch} fetch
 * @property {() => number} now
 * @property {() => number} random
 * @property {(ms: number) => Promise<boolean>} sleep resolves to whether something woke it before its time
 * @property {() => string} csrfToken
 * @property {string} tab a name of this page, among others of the same person
 * @property {(path: string) => WebSocket} socket
 * @property {(callback: () => void) => () => void} onWake
 * @property {Pick<import("../lib/presence.js").Presence, "isAway" | "onAway" | "back">} presence
 */

export class Connection {
  #world;
  #abort = new AbortController();
  #lastByteAt;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #silenceMs;
  decoder = new SseDecoder(MAX_EVENT_LENGTH);

  /**
   * @param {World} world
   * @param {number} [silenceMs]
   */
  constructor(world, silenceMs = SILENCE_MS) {
    this.#world = world;
    this.#silenceMs = silenceMs;
    this.#lastByteAt = world.now();
  }

  /**
   * @param {string} url
   * @param {RequestInit} init
   */
  async open(url, init) {
    this.#heard();
    try {
      return await this.#world.fetch(url, { ...init, signal: this.#abort.signal });
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /**
   * The events in the body of `response`; returns where the body ends, throws where it breaks.
   * @param {Response} response
   */
  async *events(response) {
    const reader = /** @type {ReadableStream<Uint8Array>} */ (response.body).getReader();
    const unsubscribe = this.#world.onWake(() => this.#closeIfSilent());
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
    this.#lastByteAt = this.#world.now();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.close(), this.#silenceMs);
  }

  /** Timers sleep with the machine, the clock does not. */
  #closeIfSilent() {
    if (this.#world.now() - this.#lastByteAt >= this.#silenceMs) this.close();
  }
}
