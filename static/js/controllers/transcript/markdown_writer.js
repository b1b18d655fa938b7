/** Write formatted text: streamed text as it arrives, complete answers when the browser is idle. */

import { nextTask } from "../../browser/idle.js";
import { writeText } from "../../browser/write_text.js";

const LENGTH_PER_TASK = 8_000;

export class MarkdownWriter {
  #element;
  #make;
  #shown = "";
  #isOver = false;
  /** @type {import("../../markdown/markdown.js").Markdown | null} */
  #markdown = null;

  /**
   * @param {HTMLElement} element
   * @param {(box: Element | DocumentFragment) => import("../../markdown/markdown.js").Markdown} make
   */
  constructor(element, make) {
    this.#element = element;
    this.#make = make;
  }

  /**
   * @param {string} text the whole text so far
   * @param {boolean} isOver
   */
  show(text, isOver) {
    if (isOver && !this.#markdown) this.#format(text);
    else this.#write(text, isOver);
    this.#shown = text;
    this.#isOver = isOver;
  }

  /** @param {string} text @param {boolean} isOver */
  #write(text, isOver) {
    const goesOn = this.#markdown && !this.#isOver && text.startsWith(this.#shown);
    this.#markdown ??= this.#make(this.#element);
    if (!goesOn) {
      this.#markdown.clear();
      this.#element.classList.add("formatted");
    }
    this.#markdown.append(goesOn ? text.slice(this.#shown.length) : text);
    if (isOver) {
      this.#markdown.end();
      this.#element.dispatchEvent(new Event("formatted"));
    }
  }

  /** @param {string} text */
  async #format(text) {
    if (this.#element.textContent !== text) writeText(this.#element, text);
    const formatted = document.createDocumentFragment();
    const markdown = this.#make(formatted);
    for (let at = 0; at < text.length; at += LENGTH_PER_TASK) {
      if (at) await nextTask();
      markdown.append(text.slice(at, at + LENGTH_PER_TASK));
    }
    markdown.end();
    if (this.#markdown) return; // more text has arrived meanwhile
    this.#element.replaceChildren(formatted);
    this.#element.classList.add("formatted");
    this.#element.dispatchEvent(new Event("formatted"));
  }
}
