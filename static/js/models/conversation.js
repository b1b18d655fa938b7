/** Questions with their answers, in order; the common base of temporary and stored conversations. */

import { Answer } from "./answer.js";

/**
 * `previous` is the answer that a new attempt is to replace, and `replaced` what stood in the place of this
 * exchange and after it: both as long as it may come to nothing. The ids are the server's; they are 0 as long
 * as it has not taken the question. `versions` are the ids of all wordings of the question, `parentId` is the
 * answer that they follow, 0 for none. `body` is a send that the server may or may not have: whoever repeats
 * it sends exactly the same. `isSpoken` is one without a question: somebody's next turn after their last.
 * @typedef {object} Exchange
 * @property {string} question
 * @property {number} askedAt milliseconds since 1970
 * @property {Answer} answer
 * @property {Answer} [previous]
 * @property {Exchange[]} [replaced]
 * @property {number} [questionId]
 * @property {number} [parentId]
 * @property {number[]} [versions]
 * @property {boolean} [isHidden] by the staff: what stands here is not what was asked
 * @property {import("../types.js").StoredSend} [body]
 * @property {boolean} [isSpoken]
 * @property {import("./thinking_retry.js").RequestOptions} [changes] what another attempt says otherwise than usual
 */

export class Conversation {
  /** @type {Exchange[]} */
  exchanges = [];

  get last() {
    return this.exchanges.at(-1);
  }

  /** These and no others. @param {Exchange[]} exchanges */
  setExchanges(exchanges) {
    this.exchanges = exchanges;
  }

  /**
   * @param {string} question
   * @param {string} model
   * @returns {Exchange}
   */
  add(question, model) {
    const exchange = newExchange(question, model);
    this.exchanges.push(exchange);
    return exchange;
  }

  /**
   * Another wording takes the place of a question; what followed that leaves.
   * @param {Exchange} exchange
   * @param {string} question
   * @param {string} model
   * @returns {Exchange}
   */
  revise(exchange, question, model) {
    const revised = newExchange(question, model);
    this.#replace(exchange, revised);
    return revised;
  }

  /** @param {Exchange} exchange */
  remove(exchange) {
    this.exchanges = this.exchanges.filter((each) => each !== exchange);
  }

  /**
   * Prepares another attempt: the rest of the same answer, if the server may have one, or a new one, which
   * nothing follows yet.
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
    exchange.answer.versions = exchange.previous.versions;
    this.#replace(exchange, exchange);
  }

  /**
   * Where an attempt came to nothing, what it was to replace is there again.
   * @param {Exchange} exchange
   * @returns {Exchange | null} what stands in its place now; null where it stays
   */
  withdraw(exchange) {
    const { answer, previous, replaced } = exchange;
    this.confirm(exchange);
    if (this.isKept(answer)) return null;
    if (replaced) this.exchanges.splice(this.exchanges.indexOf(exchange), 1, ...replaced);
    if (previous?.text || previous?.messageId) {
      if (answer.problem) previous.fail(answer.problem);
      exchange.answer = previous;
      return exchange;
    }
    return replaced && replaced[0] !== exchange ? replaced[0] : null;
  }

  /** It did not come to nothing. @param {Exchange} exchange */
  confirm(exchange) {
    delete exchange.previous;
    delete exchange.replaced;
  }

  /** Whether an attempt came to something. @param {Answer} answer */
  isKept(answer) {
    return Boolean(answer.text) || answer.state === "complete";
  }

  /** @param {Exchange} old @param {Exchange} exchange */
  #replace(old, exchange) {
    exchange.replaced = this.exchanges.splice(this.exchanges.indexOf(old), Infinity, exchange);
  }
}

/**
 * @param {string} question
 * @param {string} model
 * @returns {Exchange}
 */
function newExchange(question, model) {
  const answer = new Answer(model);
  return { question, askedAt: answer.askedAt, answer };
}

/**
 * The question that this exchange is another wording of, as long as it may come to nothing; 0 for none.
 * @param {Exchange} exchange
 */
export function revisedQuestionId(exchange) {
  const old = exchange.replaced?.[0];
  return old === exchange ? 0 : (old?.questionId ?? 0);
}
