/** Questions with their answers, in order: what a temporary and a stored conversation have in common. */

import { Answer } from "./answer.js";

/**
 * `previous` is the answer that a new attempt is to replace, as long as that has not begun to speak.
 * The ids are the server's; they are 0 as long as it has not taken the question. `body` is a send that
 * the server may or may not have: whoever repeats it sends exactly the same.
 * @typedef {object} Exchange
 * @property {string} question
 * @property {number} askedAt milliseconds since 1970
 * @property {Answer} answer
 * @property {Answer} [previous]
 * @property {number} [questionId]
 * @property {{key: string, [name: string]: any}} [body]
 */

export class Exchanges {
  /** @type {Exchange[]} */
  exchanges = [];

  get last() {
    return this.exchanges.at(-1);
  }

  /**
   * @param {string} question
   * @param {string} model
   * @returns {Exchange}
   */
  add(question, model) {
    const answer = new Answer(model);
    const exchange = { question, askedAt: answer.askedAt, answer };
    this.exchanges.push(exchange);
    return exchange;
  }

  /** @param {Exchange} exchange */
  remove(exchange) {
    this.exchanges = this.exchanges.filter((each) => each !== exchange);
  }

  /**
   * Prepares another attempt: the rest of the same answer, if the server may have one, or a new one.
   * @param {Exchange} exchange
   * @param {string} model
   */
  tryAgain(exchange, model) {
    if (exchange.answer.generationId) {
      exchange.answer.resume();
      return;
    }
    exchange.previous = exchange.answer;
    exchange.answer = new Answer(model);
  }

  /**
   * Where an attempt came to nothing, the answer that there was is the answer again.
   * @param {Exchange} exchange
   * @returns {boolean} whether it is
   */
  takeBack(exchange) {
    const { answer, previous } = exchange;
    delete exchange.previous;
    if (answer.text || answer.state === "complete" || !previous?.text) return false;
    if (answer.problem) previous.fail(answer.problem);
    exchange.answer = previous;
    return true;
  }
}
