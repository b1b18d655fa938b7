/**
 * Write growing text into an element by appending text nodes only. Existing nodes are kept, so selections and
 * find-in-page survive.
 */

import { Paragraphs } from "../lib/paragraphs.js";

export class PlainTextWriter {
  #element;
  #paragraphs = new Paragraphs();
  /** @type {Text | null} */
  #last = null;

  /** @param {Element} element */
  constructor(element) {
    this.#element = element;
  }

  /** @param {string} piece */
  append(piece) {
    for (const { opens, text } of this.#paragraphs.append(piece)) {
      if (opens) this.#open(opens, text);
      else this.#last?.appendData(text);
    }
  }

  clear() {
    this.#element.replaceChildren();
    this.#paragraphs = new Paragraphs();
    this.#last = null;
  }

  /**
   * @param {string} kind
   * @param {string} text
   */
  #open(kind, text) {
    if (kind === "paragraph") this.#element.append(document.createElement("p"));
    const chunk = document.createElement("span");
    this.#last = document.createTextNode(text);
    chunk.append(this.#last);
    this.#element.lastElementChild?.append(chunk);
  }
}
