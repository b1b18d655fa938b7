/**
 * One run of an answer: from asking, or from where it was left, to its end. Whatever happens, the
 * answer is over afterwards and says how.
 */

import { StreamError, gone, lost } from "../stream/errors.js";
import { AnswerReader } from "../stream/reader.js";

/**
 * @typedef {object} Listener
 * @property {() => void} taken the server has the question
 * @property {() => void} changed
 * @property {() => void} stopFailed
 */

export class Run {
  #answer;
  #listener;
  #reader;

  /**
   * @param {import("../stream/connection.js").World} world
   * @param {import("./answer.js").Answer} answer
   * @param {Listener} listener
   */
  constructor(world, answer, listener) {
    this.#answer = answer;
    this.#listener = listener;
    this.#reader = new AnswerReader(world, {
      accepted: (generationId) => {
        answer.accept(generationId);
        listener.taken();
      },
      connectionLost: (isLost) => {
        if (answer.connectionLost === isLost) return;
        answer.connectionLost = isLost;
        listener.changed();
      },
      stopFailed: listener.stopFailed,
    });
  }

  /** @param {object} question what is asked, unless the answer is on the server already */
  async toEnd(question) {
    const answer = this.#answer;
    try {
      await this.#read(this.#payloads(question));
      if (answer.generationId) {
        // Its end did not come, or its length is not the server's: what we have is not all of it.
        answer.rewind();
        await this.#read(this.#reader.again());
      }
      if (!answer.isOver) throw gone();
    } catch (error) {
      if (!(error instanceof StreamError)) reportError(error);
      answer.fail(error instanceof StreamError ? error : lost());
    }
  }

  /** The answer ends, what it said stays. */
  stop() {
    this.#reader.stop();
  }

  /** Nobody is interested any more. */
  abandon() {
    this.#reader.stop();
    this.#reader.close();
  }

  /** @param {object} question */
  #payloads(question) {
    const { generationId, lastEventId } = this.#answer;
    if (generationId) return this.#reader.follow(generationId, lastEventId);
    return this.#reader.ask(question);
  }

  /** @param {AsyncIterable<Record<string, any>>} payloads */
  async #read(payloads) {
    for await (const payload of payloads) {
      this.#answer.apply(payload);
      this.#answer.lastEventId = this.#reader.lastEventId;
      this.#listener.changed();
    }
  }
}
