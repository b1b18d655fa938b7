/**
 * The words of an answer. What arrives is written as it comes; an answer that was over before it was shown is formatted
 * at leisure, and its source stands there meanwhile.
 */

import { nextTask } from "../lib/idle.js";
import { codeOf } from "../markdown/finish.js";
import { Markdown } from "../markdown/markdown.js";
import { copyWith } from "./copy_button.js";

const LENGTH_PER_TASK = 8_000;

export class Words {
  #element;
  #shown = "";
  #isOver = false;
  /** @type {Markdown | null} */
  #markdown = null;

  /**
   * @param {HTMLElement} element
   * @param {import("./status.js").Status} status
   */
  constructor(element, status) {
    this.#element = element;
    element.addEventListener("click", ({ target }) => {
      const button = /** @type {Element} */ (target).closest(".copy-code");
      const code = button?.closest(".code");
      if (button && code) copyWith(button, codeOf(code), status);
    });
  }

  /**
   * @param {string} text all of it by now
   * @param {boolean} isOver
   */
  show(text, isOver) {
    if (text.length === this.#shown.length && text === this.#shown && isOver === this.#isOver) return;
    if (isOver && !this.#markdown) this.#format(text);
    else this.#write(text, isOver);
    this.#shown = text;
    this.#isOver = isOver;
  }

  /** @param {string} text @param {boolean} isOver */
  #write(text, isOver) {
    const goesOn = this.#markdown && !this.#isOver && text.startsWith(this.#shown);
    this.#markdown ??= new Markdown(this.#element);
    if (!goesOn) {
      this.#markdown.clear();
      this.#element.classList.add("formatted");
    }
    this.#markdown.append(goesOn ? text.slice(this.#shown.length) : text);
    if (isOver) this.#markdown.end();
  }

  /** @param {string} text */
  async #format(text) {
    if (this.#element.textContent !== text) this.#element.textContent = text;
    const formatted = document.createDocumentFragment();
    const markdown = new Markdown(formatted);
    for (let at = 0; at < text.length; at += LENGTH_PER_TASK) {
      if (at) await nextTask();
      markdown.append(text.slice(at, at + LENGTH_PER_TASK));
    }
    markdown.end();
    if (this.#markdown) return; // it was written on meanwhile
    this.#element.replaceChildren(formatted);
    this.#element.classList.add("formatted");
  }
}
