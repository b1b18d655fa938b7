/** The transcript: one element per exchange, in order. */

import { AnswerView } from "./answer_view.js";
import { questionElement } from "./question_view.js";

/** @typedef {import("../models/conversation.js").Exchange} Exchange */

export class Thread {
  element;
  #status;
  #models;
  #onChoice;
  /** @type {Map<Exchange, {root: HTMLElement, view: AnswerView}>} */
  #shown = new Map();

  /**
   * @param {HTMLElement} element
   * @param {import("./status.js").Status} status
   * @param {import("./model_picker.js").ModelPicker} models
   * @param {(exchange: Exchange, choice: string) => void} onChoice
   */
  constructor(element, status, models, onChoice) {
    this.element = element;
    this.#status = status;
    this.#models = models;
    this.#onChoice = onChoice;
  }

  /** @param {import("../models/conversation.js").Conversation} conversation */
  show({ exchanges, forgotten }) {
    if (forgotten) {
      const line = document.createElement("p");
      line.className = "aside";
      line.textContent = "The beginning of this chat was too long for the tab to keep.";
      this.element.append(line);
    }
    for (const exchange of exchanges) this.add(exchange);
  }

  /** @param {Exchange} exchange */
  add(exchange) {
    const root = document.createElement("div");
    root.className = "exchange";
    const view = this.#view(exchange);
    root.append(questionElement(exchange, this.#status), view.root);
    this.element.append(root);
    this.#shown.set(exchange, { root, view });
    if (exchange.answer.isOver) view.settle();
  }

  /** The exchange has another answer now. @param {Exchange} exchange */
  replaceAnswer(exchange) {
    const shown = this.#shown.get(exchange);
    if (!shown) return;
    shown.view.settle();
    const view = this.#view(exchange);
    shown.view.root.replaceWith(view.root);
    shown.view = view;
    if (exchange.answer.isOver) view.settle();
  }

  /** @param {Exchange} exchange */
  changed(exchange) {
    this.#shown.get(exchange)?.view.changed();
  }

  /** @param {Exchange} exchange */
  settle(exchange) {
    this.#shown.get(exchange)?.view.settle();
  }

  /** @param {Exchange} exchange */
  remove(exchange) {
    this.settle(exchange);
    this.#shown.get(exchange)?.root.remove();
    this.#shown.delete(exchange);
  }

  clear() {
    for (const exchange of [...this.#shown.keys()]) this.remove(exchange);
    this.element.replaceChildren();
  }

  /** @param {Exchange} exchange */
  #view(exchange) {
    return new AnswerView(exchange.answer, this.#models, this.#status, (choice) =>
      this.#onChoice(exchange, choice),
    );
  }
}
