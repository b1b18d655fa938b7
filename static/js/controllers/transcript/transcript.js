/**
 * The transcript: one element per exchange, in order. Server-rendered turns stay plain text until they come near the
 * window; then they are formatted and get buttons. So very long conversations open quickly.
 */

import { writeText } from "../../browser/write_text.js";
import { prepareToRead } from "./answer_markdown.js";
import { AnswerView } from "./answer_view.js";
import { LazyRender } from "./lazy_render.js";
import { QuestionView } from "./question_view.js";

/** @typedef {import("../../models/conversation.js").Exchange} Exchange */
/** @typedef {{root: HTMLElement, question: QuestionView | null, view: AnswerView | null}} Shown */
/**
 * Actions that only some pages offer.
 * @typedef {object} OptionalActions
 * @property {(exchange: Exchange, opinion: import("../../models/answer.js").Opinion) => Promise<boolean>} [rate]
 * @property {(exchange: Exchange) => void} [report]
 * @property {(exchange: Exchange) => void} [more]
 * @property {(exchange: Exchange) => void} [retry]
 * @property {(id: number) => void} [version]
 * @property {import("../../browser/browser_env.js").BrowserEnv} [env] for decisions about tools
 * @property {() => void} [refresh] checks what other tabs have changed
 *
 * @typedef {object} NeededActions
 * @property {(exchange: Exchange, choice: string) => void} choose
 * @property {(exchange: Exchange) => void} rewrite
 */

export class Transcript {
  element;
  #status;
  #models;
  #actions;
  /** @type {Map<Exchange, Shown>} */
  #shown = new Map();
  #lazyRender;

  /**
   * @param {HTMLElement} element
   * @param {import("../ui/status.js").Status} status
   * @param {import("../composer/model_picker.js").ModelChoice} models
   * @param {NeededActions & OptionalActions} actions
   * @param {AbortSignal} [signal] ends it
   */
  constructor(element, status, models, actions, signal) {
    this.element = element;
    this.#status = status;
    this.#models = models;
    this.#actions = actions;
    this.#lazyRender = new LazyRender(signal);
    signal?.addEventListener("abort", () => this.#settleAll());
    models.onChange?.(() => this.#modelChosen(), signal);
  }

  /** Take over the turns that the server rendered: these exchanges, or none. @param {Exchange[]} exchanges */
  open(exchanges) {
    const roots = /** @type {NodeListOf<HTMLElement>} */ (this.element.querySelectorAll(".exchange"));
    if (roots.length === exchanges.length) {
      exchanges.forEach((exchange, i) => this.#adopt(exchange, roots[i]));
    } else {
      this.clear();
      this.show(exchanges);
    }
  }

  /** Show a sentence above the transcript. @param {string} words */
  note(words) {
    const line = document.createElement("p");
    line.className = "side-note";
    line.textContent = words;
    this.element.prepend(line);
  }

  /**
   * Show these exchanges and no others. Existing elements are kept, with the selection and the scroll position; their
   * versions may have changed.
   * @param {Exchange[]} exchanges
   */
  show(exchanges) {
    for (const exchange of this.#shown.keys()) if (!exchanges.includes(exchange)) this.remove(exchange);
    let next = this.element.querySelector(".exchange");
    for (const exchange of exchanges) {
      const root = this.#shown.get(exchange)?.root;
      if (!root) {
        this.add(exchange, next);
        continue;
      }
      if (root !== next) this.element.insertBefore(root, next);
      next = root.nextElementSibling;
      this.#versionsChanged(exchange);
    }
  }

  /** @param {Exchange} exchange @param {Element | null} [before] */
  add(exchange, before = null) {
    const root = document.createElement("div");
    root.className = "exchange";
    if (!exchange.isSpoken) root.append(plainTurn("question", exchange.question));
    root.append(plainTurn("answer", exchange.answer.text));
    this.element.insertBefore(root, before);
    this.#adopt(exchange, root);
  }

  /** Show the new answer of an exchange. @param {Exchange} exchange */
  replaceAnswer(exchange) {
    const shown = this.#shown.get(exchange);
    if (!shown?.view) return;
    shown.view.settle();
    const view = this.#view(exchange);
    shown.view.root.replaceWith(view.root);
    shown.view = view;
    if (exchange.answer.isOver) view.settle();
  }

  /** @param {Exchange} exchange */
  changed(exchange) {
    this.#shown.get(exchange)?.view?.changed();
    this.#versionsChanged(exchange);
  }

  /** @param {Exchange} exchange */
  #versionsChanged(exchange) {
    const shown = this.#shown.get(exchange);
    shown?.view?.versionsChanged();
    shown?.question?.versionsChanged();
  }

  /** @param {Exchange} exchange */
  rootOf(exchange) {
    return this.#shown.get(exchange)?.root;
  }

  /** Return the element of a question, with its buttons. @param {Exchange} exchange */
  questionOf(exchange) {
    const shown = this.#shown.get(exchange);
    if (shown && !shown.question) this.#fill(exchange, shown.root);
    return this.#shown.get(exchange)?.question?.root;
  }

  /** Return the element for a message's version switcher. @param {number} id @returns {HTMLElement | null} */
  versionsOf(id) {
    for (const exchange of this.#shown.keys()) {
      const isQuestion = exchange.questionId === id;
      if (!isQuestion && exchange.answer.messageId !== id) continue;
      const question = this.questionOf(exchange);
      const turn = isQuestion ? question : this.#shown.get(exchange)?.view?.root;
      return turn?.querySelector(".versions") ?? null;
    }
    return null;
  }

  /** @param {Exchange} exchange */
  settle(exchange) {
    this.#shown.get(exchange)?.view?.settle();
  }

  #modelChosen() {
    for (const { view } of this.#shown.values()) view?.showModel();
  }

  /** Stop the clocks of running answers. */
  #settleAll() {
    for (const exchange of this.#shown.keys()) if (!exchange.answer.isOver) this.settle(exchange);
  }

  /** @param {Exchange} exchange */
  remove(exchange) {
    this.settle(exchange);
    const root = this.#shown.get(exchange)?.root;
    if (root) this.#lazyRender.forget(root);
    root?.remove();
    this.#shown.delete(exchange);
  }

  /** Remove everything, including what the server rendered. */
  clear() {
    this.show([]);
    this.element.replaceChildren();
  }

  /** @param {Exchange} exchange @param {HTMLElement} root with its turns as plain text */
  #adopt(exchange, root) {
    this.#shown.set(exchange, { root, question: null, view: null });
    if (exchange.answer.isOver) this.#fillLazily(exchange, root);
    else this.#fill(exchange, root);
  }

  /** @param {Exchange} exchange @param {HTMLElement} root */
  async #fillLazily(exchange, root) {
    await prepareToRead(); // otherwise all waiting turns would be formatted at once
    if (root.isConnected && !this.#shown.get(exchange)?.view) this.#lazyRender.when(root, () => this.#fill(exchange, root));
  }

  /** @param {Exchange} exchange @param {HTMLElement} root */
  #fill(exchange, root) {
    this.#lazyRender.forget(root);
    const view = this.#view(exchange);
    const question = exchange.isSpoken ? null : this.#question(exchange);
    this.#shown.set(exchange, { root, question, view });
    if (exchange.answer.isOver) view.settle();
    root.replaceChildren(...(question ? [question.root] : []), view.root);
  }

  /** @param {Exchange} exchange */
  #question(exchange) {
    return new QuestionView(exchange, this.#status, {
      edit: () => this.#actions.rewrite(exchange),
      version: (id) => this.#actions.version?.(id),
    });
  }

  /** @param {Exchange} exchange */
  #view(exchange) {
    /** @type {import("./answer_view.js").Actions} */
    const actions = {
      ...this.#actions,
      choose: (choice) => this.#actions.choose(exchange, choice),
      rate: async (opinion) => (await this.#actions.rate?.(exchange, opinion)) ?? false,
      report: () => this.#actions.report?.(exchange),
      retry: () => this.#actions.retry?.(exchange),
      more: () => this.#actions.more?.(exchange),
      version: (id) => this.#actions.version?.(id),
    };
    return new AnswerView(exchange.answer, this.#models, this.#status, actions);
  }
}

/** @param {string} kind @param {string} text */
function plainTurn(kind, text) {
  const turn = document.createElement("article");
  turn.className = `turn ${kind}`;
  turn.toggleAttribute("data-text", text !== "");
  const words = document.createElement("div");
  words.className = "message-text";
  writeText(words, text);
  turn.append(words);
  return turn;
}
