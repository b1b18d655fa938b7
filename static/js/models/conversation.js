/** Questions with their answers, in order; the common base of temporary and stored conversations. */

import { Answer } from "./answer.js";

/**
 * A question with its answer. While an attempt may still fail, `previous` is the answer that it replaces, and
 * `replaced` the exchanges that an edited question replaces. IDs are the server's; 0 until it has stored the
 * question. `versions` are the IDs of all versions of the question, and `parentId` is the answer that they follow,
 * 0 for none. `body` is a request that the server may or may not have; it is only repeated unchanged. With
 * `isSpoken`, there is no question: a staff member's message follows another one.
 * @typedef {object} Exchange
 * @property {string} question
 * @property {number} askedAt milliseconds since 1970
 * @property {Answer} answer
 * @property {Answer} [previous]
 * @property {Exchange[]} [replaced]
 * @property {number} [questionId]
 * @property {number} [parentId]
 * @property {number[]} [versions]
 * @property {boolean} [isHidden] hidden by staff: the text is a notice, not the question
 * @property {import("../types.js").StoredSend} [body]
 * @property {boolean} [isSpoken]
 * @property {import("./thinking_retry.js").RequestOptions} [changes] parameters that differ in this attempt
 */

export class Conversation {
  /** @type {Exchange[]} */
  exchanges = [];

  get last() {
    return this.exchanges.at(-1);
  }

  /** Replace all exchanges. @param {Exchange[]} exchanges */
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
   * Replace a question by an edited one, and remove what followed it.
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
   * Move a question that the server does not have behind those that were sent since.
   * @param {Exchange} exchange
   * @returns {boolean} whether it was elsewhere
   */
  moveToEnd(exchange) {
    if (this.isStored(exchange) || this.last === exchange) return false;
    this.remove(exchange);
    this.exchanges.push(exchange);
    return true;
  }

  /** A temporary conversation has no other place than this one. @param {Exchange} _exchange */
  isStored(_exchange) {
    return true;
  }

  /**
   * Prepare another attempt: to read the rest of the same answer, if the server may have it, or else a new answer,
   * which removes what followed.
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
   * If an attempt failed, restore what it replaced.
   * @param {Exchange} exchange
   * @returns {Exchange | null} the exchange in its place now; null if the attempt stays
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

  /** Keep an attempt, which has succeeded. @param {Exchange} exchange */
  confirm(exchange) {
    delete exchange.previous;
    delete exchange.replaced;
  }

  /** Return whether an attempt has produced something worth keeping. @param {Answer} answer */
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
 * Return the question that this exchange is an edit of, while the edit may still fail; 0 for none.
 * @param {Exchange} exchange
 */
export function revisedQuestionId(exchange) {
  const old = exchange.replaced?.[0];
  return old === exchange ? 0 : (old?.questionId ?? 0);
}
