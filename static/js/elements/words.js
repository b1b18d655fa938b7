/**
 * The words of an answer. What gives Markdown its form is fetched when there is an answer; until it is there, and where
 * it cannot be had, the source stands there.
 */

import { onDemand } from "../lib/on_demand.js";
import { copyWith } from "./copy_button.js";
import { FormattedWords } from "./formatted_words.js";

/** @type {() => Promise<typeof import("../markdown/markdown.js") | null>} */
const markdown = onDemand("markdown");
/** @type {() => Promise<{default: import("../markdown/reading.js").Remend} | null>} */
const remend = onDemand("remend");

/** An answer will be written soon. */
export async function prepareToWrite() {
  await Promise.all([markdown(), remend()]);
}

export class Words {
  #element;
  #status;
  #text = "";
  /** @type {boolean | null} null before there is anything to show */
  #isOver = null;
  #isAsked = false;
  /** @type {FormattedWords | null} */
  #formatted = null;

  /**
   * @param {HTMLElement} element
   * @param {import("./status.js").Status} status
   */
  constructor(element, status) {
    this.#element = element;
    this.#status = status;
  }

  /**
   * @param {string} text all of it by now
   * @param {boolean} isOver
   */
  show(text, isOver) {
    if (text.length === this.#text.length && text === this.#text && isOver === this.#isOver) return;
    this.#text = text;
    this.#isOver = isOver;
    if (this.#formatted) this.#formatted.show(text, isOver);
    else this.#showSource();
  }

  #showSource() {
    if (this.#element.textContent !== this.#text) this.#element.textContent = this.#text;
    if (!this.#isAsked) this.#askForForm();
    this.#isAsked = true;
  }

  async #askForForm() {
    const [module, helper] = await Promise.all([markdown(), this.#isOver ? null : remend()]);
    if (!module) return;
    this.#formatted = new FormattedWords(this.#element, module, helper?.default);
    this.#formatted.show(this.#text, Boolean(this.#isOver));
    this.#element.addEventListener("click", ({ target }) => {
      const button = /** @type {Element} */ (target).closest(".copy-code");
      const code = button?.closest(".code");
      if (button && code) copyWith(button, module.codeOf(code), this.#status);
    });
  }
}
