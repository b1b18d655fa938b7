/** Retry answers: send again, continue, regenerate, or move the question back to the composer. */

import { joinMessages } from "../../lib/text_files.js";
import { retryOptions } from "../../models/thinking_retry.js";

/** @typedef {import("./chat_store.js").Exchange} Exchange */

export class AnswerRetries {
  #chat;
  #store;

  /**
   * @param {import("./chat_controller.js").ChatController} chat
   * @param {import("./chat_store.js").ChatStore} store
   */
  constructor(chat, store) {
    this.#chat = chat;
    this.#store = store;
  }

  /**
   * @param {Exchange} exchange
   * @param {string} choice one of the choices offered after a failed answer
   */
  choose(exchange, choice) {
    const { answer } = exchange;
    const changes = retryOptions(choice, answer, this.#chat.models.abilitiesOf(answer.model)) ?? undefined;
    if (choice === "dismiss") this.#dismiss(exchange);
    else if (choice === "again" || changes) this.regenerate(exchange, changes && answer.model, changes);
    else if (!this.#chat.refuses(exchange)) {
      if (choice === "edit") this.#moveToComposer(exchange);
      else this.#continue(exchange);
      this.#chat.composer.focus();
    }
  }

  /**
   * Request another answer to the same question.
   * @param {Exchange} exchange
   * @param {string} [model]
   * @param {import("../../models/thinking_retry.js").RequestOptions} [changes]
   */
  regenerate(exchange, model = this.#chat.models.chosen, changes = undefined) {
    if (this.#chat.refuses(exchange)) return;
    const { conversation } = this.#store;
    exchange.changes = changes;
    if (conversation.moveToEnd(exchange)) this.#chat.transcript.remove(exchange); // it is shown again below
    conversation.tryAgain(exchange, model);
    this.#chat.begin(exchange);
    this.#chat.transcript.show(conversation.exchanges);
    this.#chat.transcript.replaceAnswer(exchange);
    this.#chat.composer.focus();
  }

  /** Send an edited question. @param {Exchange} exchange @param {string} text @returns {boolean} whether it was sent */
  revise(exchange, text) {
    if (this.#chat.refuses()) return false;
    const { conversation } = this.#store;
    const revised = conversation.revise(exchange, text, this.#chat.models.chosen);
    this.#chat.transcript.show(conversation.exchanges);
    this.#chat.begin(revised);
    this.#chat.composer.focus();
    this.#chat.showLast();
    return true;
  }

  /** Remove an exchange that failed; the question's text is kept. @param {Exchange} exchange */
  withdraw(exchange) {
    const { question, answer } = exchange;
    const { conversation } = this.#store;
    const back = conversation.withdraw(exchange);
    if (!back) return;
    this.#chat.transcript.show(conversation.exchanges);
    if (back === exchange) this.#chat.transcript.replaceAnswer(exchange);
    else this.#chat.rewriting.open(back, question, { problem: answer.problem?.message });
  }

  /** Remove a question that was not sent. @param {Exchange} exchange */
  #dismiss(exchange) {
    const { composer, transcript } = this.#chat;
    this.#store.remove(exchange);
    transcript.remove(exchange);
    this.#chat.updateEmptyState();
    composer.focus();
  }

  /** Continue an answer. @param {Exchange} exchange */
  #continue(exchange) {
    this.#store.prepareToContinue?.(exchange);
    this.#chat.begin(exchange);
    this.#chat.transcript.replaceAnswer(exchange);
  }

  /** Move the question back to the composer, before newer text. @param {Exchange} exchange */
  #moveToComposer(exchange) {
    const { composer, transcript } = this.#chat;
    this.#store.remove(exchange);
    transcript.remove(exchange);
    this.#chat.updateEmptyState();
    composer.text = joinMessages(exchange.question, composer.text);
  }
}
