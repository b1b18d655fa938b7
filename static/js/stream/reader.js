/**
 * Reads one answer to its end, over as many connections as it takes. It asks once, by POST, and never
 * again: where a connection ends without `[DONE]`, it goes on by GET after the last event it has.
 */

import { Backoff } from "../lib/retry.js";
import { RELAY, streamOf } from "./addresses.js";
import { Cancellation } from "./cancellation.js";
import { Connection } from "./connection.js";
import { errorOf, gone, lost, unreachable } from "./errors.js";
import { isFinal, isStream, parsePayload } from "./responses.js";

const DONE = "[DONE]";

/**
 * @typedef {object} Listener
 * @property {(generationId: string) => void} [accepted] the server has the question
 * @property {(isLost: boolean) => void} [connectionLost] true between two connections
 * @property {() => void} [stopFailed]
 */

export class AnswerReader {
  generationId = "";
  lastEventId = "";
  #ended = false;
  #closed = false;
  /** @type {Connection | null} */
  #connection = null;
  #world;
  #listener;
  #backoff;
  #cancellation;

  /**
   * @param {import("./connection.js").World} world
   * @param {Listener} [listener]
   */
  constructor(world, listener = {}) {
    this.#world = world;
    this.#listener = listener;
    this.#backoff = new Backoff({ now: world.now, random: world.random });
    this.#cancellation = new Cancellation(world, () => listener.stopFailed?.());
  }

  /**
   * Asks, and yields the payloads of the answer.
   * @param {object} question the body of the request
   */
  async *ask(question) {
    const response = await this.#open(RELAY, {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: "text/event-stream" },
      body: JSON.stringify(question),
    });
    if (this.#ended) return;
    if (!response) throw unreachable();
    if (!isStream(response)) throw await this.#refusal(response);
    this.generationId = response.headers.get("X-Generation-Id") ?? "";
    this.#listener.accepted?.(this.generationId);
    this.#cancellation.know(this.generationId);
    yield* this.#read(response);
    yield* this.#resume();
  }

  /**
   * Yields the payloads of an answer that is under way, or was, after an event.
   * @param {string} generationId
   * @param {string} [after] "" is the beginning
   */
  async *follow(generationId, after = "") {
    this.generationId = generationId;
    this.lastEventId = after;
    this.#cancellation.know(generationId);
    if (!this.#ended) yield* this.#connectAgain();
    yield* this.#resume();
  }

  /** Yields the payloads of the same answer from its beginning. */
  again() {
    this.#ended = this.#closed;
    return this.follow(this.generationId);
  }

  /** Asks the server to stop; the stream then ends by itself. Before the id is known: as soon as it is. */
  stop() {
    this.#cancellation.want();
  }

  /** Nobody reads on. The answer itself goes on: see `stop`. */
  close() {
    this.#closed = this.#ended = true;
    this.#connection?.close();
  }

  /**
   * @param {string} url
   * @param {RequestInit} init
   * @returns {Promise<Response | null>} null where there was none
   */
  #open(url, init) {
    this.#connection = new Connection(this.#world);
    return this.#connection.open(url, init).catch(() => null);
  }

  /** @param {Response} response */
  async *#read(response) {
    const connection = /** @type {Connection} */ (this.#connection);
    try {
      for await (const event of connection.events(response)) {
        if (event.id) this.lastEventId = event.id;
        this.#backoff.reset();
        this.#listener.connectionLost?.(false);
        this.#ended ||= event.data === DONE;
        if (this.#ended) return;
        const payload = parsePayload(event.data);
        if (payload) yield payload;
      }
    } catch {
      // The connection broke; what is missing comes with the next one.
    }
    this.#backoff.firstMs = connection.decoder.retryMilliseconds ?? this.#backoff.firstMs;
  }

  async *#resume() {
    while (!this.#ended) {
      this.#listener.connectionLost?.(true);
      if (!this.generationId) throw gone();
      const wait = this.#backoff.next();
      if (wait === null) throw lost();
      await this.#world.sleep(wait);
      if (!this.#ended) yield* this.#connectAgain();
    }
  }

  async *#connectAgain() {
    /** @type {Record<string, string>} */
    const headers = { Accept: "text/event-stream" };
    if (this.lastEventId) headers["Last-Event-ID"] = this.lastEventId;
    const response = await this.#open(streamOf(this.generationId), { headers, cache: "no-store" });
    if (!response) return;
    if (isStream(response)) {
      yield* this.#read(response);
      return;
    }
    const refusal = await this.#refusal(response);
    if (response.status === 204) this.#ended = true;
    else if (response.status === 404) throw gone();
    else if (isFinal(response)) throw refusal;
  }

  /** @param {Response} response */
  async #refusal(response) {
    const error = await errorOf(response);
    this.#connection?.close();
    return error;
  }
}
