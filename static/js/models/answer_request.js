/**
 * One run of an answer: from the request, or from where it was left, to its end. Whatever happens, the answer ends with
 * a result.
 */

import { ApiError, answerGoneError, connectionLostError } from "../api/errors.js";
import { AnswerReader } from "../stream/answer_reader.js";
import { applyStoredMessage } from "./stored_conversation.js";

/**
 * @typedef {object} Listener
 * @property {(place: import("../api/responses.js").MessageIds) => void} taken the server has the question
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
   * @param {() => Promise<import("../api/conversations.js").StoredMessage>} [stored] where the server keeps answers: this one
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
      Boolean(stored), // what is kept elsewhere needs no reader to go on
    );
  }

  /** @param {import("../stream/send_message.js").Send | null} send what is asked, unless the answer is on the server already */
  async run(send) {
    const answer = this.#answer;
    try {
      await this.#readOnce(send);
      if (this.#isLeft) return;
      // Its end did not come, or its length is not the server's: what we have is not all of it.
      if (answer.generationId) await this.#takeStored();
      if (!answer.isOver) throw answerGoneError();
    } catch (error) {
      if (!(error instanceof ApiError)) reportError(error);
      answer.fail(error instanceof ApiError ? error : connectionLostError());
    }
    answer.connectionLost = false;
  }

  /** The answer ends, what it said stays. */
  stop() {
    this.#reader.stop();
  }

  /** Stop the answer, which nobody needs any more. */
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
