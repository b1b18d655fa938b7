/**
 * The conversation of this tab: questions with their answers. The server keeps none of it, so each
 * send carries what was said so far.
 */

import { Answer } from "./answer.js";

/** @typedef {{id: string, question: string, answer: Answer}} Exchange */

const VERSION = 1;
const MAX_STORED_LENGTH = 2 * 1024 * 1024;

export class Conversation {
  /** @type {Exchange[]} */
  exchanges = [];
  /** Exchanges that a reload could not bring back. */
  forgotten = 0;
  model = "";
  #nextId = 1;

  /** @param {string} question */
  add(question) {
    const exchange = { id: String(this.#nextId++), question, answer: new Answer(this.model) };
    this.exchanges.push(exchange);
    return exchange;
  }

  /** @param {Exchange} exchange */
  remove(exchange) {
    this.exchanges = this.exchanges.filter((each) => each !== exchange);
  }

  clear() {
    this.exchanges = [];
    this.forgotten = 0;
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
      const json = JSON.stringify(exchange);
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
      conversation.exchanges = exchanges.map((/** @type {any} */ { id, question, answer }) => {
        return { id, question, answer: Answer.fromJSON(answer) };
      });
      Object.assign(conversation, { model, forgotten });
      const ids = conversation.exchanges.map(({ id }) => Number(id));
      conversation.#nextId = Math.max(0, ...ids) + 1;
    } catch {
      return new Conversation();
    }
    return conversation;
  }
}
