/**
 * The conversation of this tab: questions with their answers. The server keeps none of it, so each
 * send carries what was said so far.
 */

import { Answer } from "./answer.js";

/**
 * `previous` is the answer that a new attempt is to replace, as long as that has not begun to speak.
 * @typedef {{question: string, answer: Answer, previous?: Answer}} Exchange
 */

const VERSION = 1;
const MAX_STORED_LENGTH = 2 * 1024 * 1024;

export class Conversation {
  /** @type {Exchange[]} */
  exchanges = [];
  /** Exchanges that a reload could not bring back. */
  forgotten = 0;
  model = "";

  /**
   * @param {string} question
   * @param {string} model
   * @returns {Exchange}
   */
  add(question, model) {
    const exchange = { question, answer: new Answer(model) };
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

  /**
   * What is sent to have `exchange` answered. Questions that got no answer are left out: two of them
   * in a row are more than some models bear.
   * @param {Exchange} exchange
   */
  messagesFor(exchange) {
    const before = this.exchanges.slice(0, this.exchanges.indexOf(exchange));
    const messages = before
      .filter(({ answer }) => answer.text)
      .flatMap(({ question, answer }) => [
        { role: "user", content: question },
        { role: "assistant", content: answer.text },
      ]);
    return [...messages, { role: "user", content: exchange.question }];
  }

  /** As text for the tab's storage: the newest exchanges, as many as fit. */
  serialise(maxLength = MAX_STORED_LENGTH) {
    const kept = [];
    let length = 0;
    for (const exchange of this.exchanges.toReversed()) {
      const json = JSON.stringify({ question: exchange.question, answer: exchange.answer });
      length += json.length;
      if (length > maxLength) break;
      kept.unshift(json);
    }
    const forgotten = this.forgotten + this.exchanges.length - kept.length;
    const head = JSON.stringify({ version: VERSION, model: this.model, forgotten }).slice(0, -1);
    return `${head},"exchanges":[${kept.join(",")}]}`;
  }

  /**
   * The conversation that `serialise` wrote; an empty one for anything else.
   * @param {string | null} text
   */
  static restore(text) {
    const conversation = new Conversation();
    try {
      const { version, model, forgotten, exchanges } = JSON.parse(text ?? "");
      if (version !== VERSION) return conversation;
      conversation.exchanges = exchanges.map((/** @type {any} */ { question, answer }) => {
        return { question, answer: Answer.fromJSON(answer) };
      });
      Object.assign(conversation, { model, forgotten });
    } catch {
      return new Conversation();
    }
    return conversation;
  }
}
