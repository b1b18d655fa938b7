/**
 * Read one answer from the request, or from where reading stopped, to its end. Whatever happens, the answer gets a
 * result.
 */

import { ApiError, answerGoneError, connectionLostError } from "../api/errors.js";
import { AnswerReader } from "../stream/answer_reader.js";
import { applyStoredMessage } from "./stored_conversation.js";

/**
 * @typedef {object} Listener
 * @property {(place: import("../api/responses.js").MessageIds) => void} taken the server has stored the question
 * @property {() => void} changed
 * @property {() => void} stopFailed
 */

export class AnswerRequest {
  #answer;
  #listener;
  #reader;
  #stored;
  #isLeft = false;

  /**
   * @param {import("../browser/browser_env.js").BrowserEnv} env
   * @param {import("./answer.js").Answer} answer
   * @param {Listener} listener
   * @param {() => Promise<import("../api/conversations.js").StoredMessage>} [stored] loads this answer, if the server stores it
   */
  constructor(env, answer, listener, stored) {
    this.#answer = answer;
    this.#listener = listener;
    this.#stored = stored;
    this.#reader = new AnswerReader(
      env,
      {
        accepted: (place) => {
          answer.accept(place);
          listener.taken(place);
        },
        connectionLost: (isLost) => {
          if (answer.connectionLost === isLost) return;
          answer.connectionLost = isLost;
          listener.changed();
        },
        stopFailed: listener.stopFailed,
      },
      Boolean(stored), // a stored answer continues without a reader
    );
  }

  /** @param {import("../stream/send_message.js").Send | null} send the request; null if the answer is already on the server */
  async run(send) {
    const answer = this.#answer;
    try {
      await this.#readOnce(send);
      if (this.#isLeft) return;
      // The end is missing, or the length differs from the server's: load the stored answer.
      if (answer.generationId) await this.#takeStored();
      if (!answer.isOver) throw answerGoneError();
    } catch (error) {
      if (!(error instanceof ApiError)) reportError(error);
      answer.fail(error instanceof ApiError ? error : connectionLostError());
    }
    answer.connectionLost = false;
  }

  /** Stop the answer and keep its text. */
  stop() {
    this.#reader.stop();
  }

  /** Stop the answer and discard it. */
  abandon() {
    this.#reader.stop();
    this.#reader.close();
  }

  /** Stop following, because the page shows something else. A stored answer continues on the server. */
  leave() {
    this.#isLeft = true;
    this.#reader.close();
  }

  /** @param {import("../stream/send_message.js").Send | null} send */
  async #readOnce(send) {
    const { generationId, lastEventId } = this.#answer;
    try {
      if (send && !generationId) await this.#read(this.#reader.ask(send));
      else await this.#read(this.#reader.follow(generationId, lastEventId));
    } catch (error) {
      const isStreamGone = error instanceof ApiError && error.code === "gone";
      if (!isStreamGone || !this.#stored) throw error;
    }
  }

  async #takeStored() {
    const turn = await this.#stored?.();
    if (turn && turn.state !== "running") {
      applyStoredMessage(this.#answer, turn);
      return;
    }
    this.#answer.rewind();
    await this.#read(this.#reader.again());
  }

  /** @param {AsyncIterable<import("../types.js").AnswerPayload>} payloads */
  async #read(payloads) {
    for await (const payload of payloads) {
      this.#answer.apply(payload);
      this.#answer.lastEventId = this.#reader.lastEventId;
      this.#listener.changed();
    }
  }
}
