/**
 * Read one answer to its end, over as many connections as needed. It starts with a POST (see send_message.js); if a
 * connection ends without `[DONE]`, it resumes with a GET after the last event.
 */

import { errorFromResponse, answerGoneError, connectionLostError } from "../api/errors.js";
import { isPermanentRefusal, isEventStream, parsePayload, idsFromHeaders } from "../api/responses.js";
import { generationStreamUrl } from "../api/urls.js";
import { Backoff } from "../lib/backoff.js";
import { Cancellation } from "./cancellation.js";
import { StreamConnection } from "./stream_connection.js";
import { sendMessage } from "./send_message.js";

const DONE = "[DONE]";

/**
 * @typedef {object} Listener
 * @property {(place: import("../api/responses.js").MessageIds) => void} [accepted] the server has stored the question
 * @property {(isLost: boolean) => void} [connectionLost] true while reconnecting
 * @property {() => void} [stopFailed]
 */

export class AnswerReader {
  generationId = "";
  lastEventId = "";
  #ended = false;
  #closed = false;
  #env;
  #listener;
  #connection;
  #backoff;
  #cancellation;

  /**
   * @param {import("../browser/browser_env.js").BrowserEnv} env
   * @param {Listener} [listener]
   * @param {boolean} [releasesWhenAway] whether a tab that is away closes its connection
   */
  constructor(env, listener = {}, releasesWhenAway = false) {
    this.#env = env;
    this.#listener = listener;
    this.#connection = new StreamConnection(env, releasesWhenAway);
    this.#backoff = new Backoff({ random: env.random });
    this.#cancellation = new Cancellation(env, () => listener.stopFailed?.());
  }

  /**
   * Send the request, and yield the payloads of the answer.
   * @param {import("./send_message.js").Send} send
   */
  async *ask(send) {
    const isWanted = () => !this.#ended && !this.#cancellation.isRequested;
    const { response, error } = await sendMessage(send, this.#env, this.#connection, isWanted);
    if (this.#ended) return;
    if (response) this.#received(idsFromHeaders(response), !error);
    if (error) throw error;
    if (response?.status === 200) yield* this.#read(response);
    else this.#ended = true; // all of the answer is stored
    this.#connection.close();
    yield* this.#resume();
  }

  /**
   * Yield the payloads of a running or finished answer after an event.
   * @param {string} generationId
   * @param {string} [after] an event ID; "" is the beginning
   */
  async *follow(generationId, after = "") {
    this.generationId = generationId;
    this.lastEventId = after;
    this.#cancellation.setGenerationId(generationId);
    yield* this.#connectAgain();
    yield* this.#resume();
  }

  /** Yield the payloads of the same answer from its beginning. */
  again() {
    this.#ended = this.#closed;
    return this.follow(this.generationId);
  }

  /** Ask the server to stop, as soon as the ID is known; the stream then ends by itself. */
  stop() {
    this.#cancellation.request();
  }

  /** Stop reading. The answer itself continues: see `stop`. */
  close() {
    this.#closed = this.#ended = true;
    this.#connection.close();
  }

  /**
   * Record where the question is stored. An answer that was refused after that has no stream to follow.
   * @param {import("../api/responses.js").MessageIds} place
   * @param {boolean} isOpen
   */
  #received(place, isOpen) {
    if (!isOpen && !place.messageId) return;
    this.generationId = place.generationId;
    this.#listener.accepted?.(isOpen ? place : { ...place, generationId: "" });
    if (isOpen) this.#cancellation.setGenerationId(place.generationId);
  }

  /** @param {Response} response */
  async *#read(response) {
    for await (const event of this.#connection.events(response)) {
      if (event.id) this.lastEventId = event.id;
      this.#backoff.reset();
      this.#ended ||= event.data === DONE;
      if (this.#ended) return;
      const payload = parsePayload(event.data);
      if (payload) yield payload;
    }
    this.#backoff.firstMs = this.#connection.retryMilliseconds ?? this.#backoff.firstMs;
  }

  async *#resume() {
    while (!this.#ended) {
      if (!this.generationId) throw answerGoneError();
      if (!this.#connection.isAway) await this.#pause();
      yield* this.#connectAgain();
    }
  }

  async #pause() {
    this.#listener.connectionLost?.(true);
    const wait = this.#backoff.next();
    if (wait === null) throw connectionLostError();
    if (await this.#env.sleep(wait)) this.#backoff.reset();
  }

  async *#connectAgain() {
    await this.#connection.whenBack();
    if (this.#ended) return;
    /** @type {Record<string, string>} */
    const headers = { Accept: "text/event-stream" };
    if (this.lastEventId) headers["Last-Event-ID"] = this.lastEventId;
    const response = await this.#connection.open(generationStreamUrl(this.generationId), { headers, cache: "no-store" });
    if (!response) return;
    if (isEventStream(response)) {
      this.#listener.connectionLost?.(false);
      yield* this.#read(response);
      return;
    }
    const refusal = await errorFromResponse(response);
    this.#connection.close();
    if (response.status === 204) this.#ended = true;
    else if (response.status === 404) throw answerGoneError();
    else if (isPermanentRefusal(response)) throw refusal;
  }
}
