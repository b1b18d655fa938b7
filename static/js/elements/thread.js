/**
 * The transcript: one element per exchange, in order. One that is over stands there as plain text until it comes near
 * the window; then it gets its form and its buttons. So a conversation of years opens as fast as one of today.
 */

import { AnswerView } from "./answer_view.js";
import { Nearby } from "./nearby.js";
import { questionElement, wireQuestion } from "./question_view.js";
import { copyOf } from "./parts.js";

/** @typedef {import("../models/exchanges.js").Exchange} Exchange */
/** @typedef {{root: HTMLElement, view: AnswerView | null}} Shown */

export class Thread {
  element;
  #status;
  #models;
  #actions;
  /** @type {Map<Exchange, Shown>} */
  #shown = new Map();
  #nearby = new Nearby();

  /**
   * @param {HTMLElement} element
   * @param {import("./status.js").Status} status
   * @param {import("./model_picker.js").ModelPicker} models
   * @param {object} actions
   * @param {(exchange: Exchange, choice: string) => void} actions.choose
   * @param {(exchange: Exchange, opinion: import("../models/answer.js").Opinion) => Promise<boolean>} actions.rate
   */
  constructor(element, status, models, actions) {
    this.element = element;
    this.#status = status;
    this.#models = models;
    this.#actions = actions;
  }

  /** Takes over what the server wrote, which are these exchanges or none. @param {Exchange[]} exchanges */
  open(exchanges) {
    const roots = /** @type {NodeListOf<HTMLElement>} */ (this.element.querySelectorAll(".exchange"));
    if (roots.length === exchanges.length) {
      exchanges.forEach((exchange, i) => this.#adopt(exchange, roots[i]));
    } else {
      this.clear();
      this.show(exchanges);
    }
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
    root.append(questionElement(exchange), answerElement(exchange));
    this.element.insertBefore(root, before);
    this.#adopt(exchange, root);
  }

  /** The exchange has another answer now. @param {Exchange} exchange */
  replaceAnswer(exchange) {
    const shown = this.#shown.get(exchange);
    if (!shown) return;
    const view = this.#viewOf(exchange, shown);
    view.settle();
    view.root.replaceWith(answerElement(exchange));
    shown.view = null;
    this.#viewOf(exchange, shown);
  }

  /** @param {Exchange} exchange */
  changed(exchange) {
    this.#shown.get(exchange)?.view?.changed();
  }

  /** @param {Exchange} exchange */
  settle(exchange) {
    this.#shown.get(exchange)?.view?.settle();
  }

  /** @param {Exchange} exchange */
  remove(exchange) {
    this.settle(exchange);
    const root = this.#shown.get(exchange)?.root;
    if (root) this.#nearby.forget(root);
    root?.remove();
    this.#shown.delete(exchange);
  }

  /** Takes away everything, also what the server wrote. */
  clear() {
    this.show([]);
    this.element.replaceChildren();
  }

  /** @param {Exchange} exchange @param {HTMLElement} root that has its question and its answer */
  #adopt(exchange, root) {
    /** @type {Shown} */
    const shown = { root, view: null };
    this.#shown.set(exchange, shown);
    const wake = () => {
      wireQuestion(/** @type {HTMLElement} */ (root.firstElementChild), exchange, this.#status);
      this.#viewOf(exchange, shown);
    };
    if (exchange.answer.isOver) this.#nearby.when(root, wake);
    else wake();
  }

  /**
   * @param {Exchange} exchange
   * @param {Shown} shown
   * @returns {AnswerView}
   */
  #viewOf(exchange, shown) {
    if (shown.view) return shown.view;
    if (shown.root.children.length === 1) shown.root.append(answerElement(exchange)); // none was stored
    const answer = /** @type {HTMLElement} */ (shown.root.lastElementChild);
    /** @type {import("./answer_view.js").Actions} */
    const actions = {
      choose: (choice) => this.#actions.choose(exchange, choice),
      rate: (opinion) => this.#actions.rate(exchange, opinion),
    };
    shown.view = new AnswerView(answer, exchange.answer, this.#models, this.#status, actions);
    if (exchange.answer.isOver) shown.view.settle();
    return shown.view;
  }
}

/** Its answer, as plain text. @param {Exchange} exchange */
function answerElement({ answer: { text, state } }) {
  const { root, parts } = copyOf("answer-template");
  parts.words.textContent = text;
  root.dataset.state = state;
  root.toggleAttribute("data-text", text !== "");
  return root;
}
