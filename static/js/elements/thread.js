/** The transcript: one element per exchange, in order. */

import { AnswerView } from "./answer_view.js";
import { questionElement } from "./question_view.js";

/** @typedef {import("../models/exchanges.js").Exchange} Exchange */

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

  /** A sentence above everything. @param {string} words */
  note(words) {
    const line = document.createElement("p");
    line.className = "aside";
    line.textContent = words;
    this.element.prepend(line);
  }

  /**
   * Shows these exchanges and no others. What is there already stays the same element, so a selection and
   * the place one reads at survive.
   * @param {Exchange[]} exchanges
   */
  show(exchanges) {
    for (const exchange of this.#shown.keys()) if (!exchanges.includes(exchange)) this.remove(exchange);
    let next = this.element.querySelector(".exchange");
    for (const exchange of exchanges) {
      const root = this.#shown.get(exchange)?.root;
      if (root) next = root.nextElementSibling;
      else this.add(exchange, next);
    }
  }

  /** @param {Exchange} exchange @param {Element | null} [before] */
  add(exchange, before = null) {
    const root = document.createElement("div");
    root.className = "exchange";
    const view = this.#view(exchange);
    root.append(questionElement(exchange, this.#status), view.root);
    this.element.insertBefore(root, before);
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

  /** Takes away everything, also what the server wrote. */
  clear() {
    this.show([]);
    this.element.replaceChildren();
  }

  /** @param {Exchange} exchange */
  #view(exchange) {
    return new AnswerView(exchange.answer, this.#models, this.#status, (choice) =>
      this.#onChoice(exchange, choice),
    );
  }
}
