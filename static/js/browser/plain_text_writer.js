/**
 * Write growing text into an element by appending text nodes only. Existing nodes are kept, so selections and
 * find-in-page survive. Page translation may replace or split the last one; then a new one is opened.
 */

import { MAX_RUN_LENGTH, endsInLongRun, hasLongLine } from "../lib/breakable_text.js";
import { Paragraphs } from "../lib/paragraphs.js";
import { nodesOf } from "./write_text.js";

export class PlainTextWriter {
  #element;
  #paragraphs = new Paragraphs();
  /** @type {Text | null} */
  #last = null;
  #lastText = "";

  /** @param {Element} element */
  constructor(element) {
    this.#element = element;
  }

  /** @param {string} piece */
  append(piece) {
    for (const { opens, text } of this.#paragraphs.append(piece)) {
      if (opens) this.#open(opens, text);
      else this.#extend(text);
    }
  }

  clear() {
    this.#element.replaceChildren();
    this.#paragraphs = new Paragraphs();
    this.#last = null;
  }

  /** @param {string} text */
  #extend(text) {
    if (!this.#last) return;
    const { data, parentElement } = this.#last;
    if (!parentElement || data !== this.#lastText || hasLongLine(data)) this.#open("chunk", text);
    else if (text.length <= MAX_RUN_LENGTH && !endsInLongRun(data)) {
      this.#last.appendData(text);
      this.#lastText += text;
    } else this.#write(parentElement, text);
  }

  /**
   * @param {string} kind
   * @param {string} text
   */
  #open(kind, text) {
    if (kind === "paragraph") this.#element.append(document.createElement("p"));
    const chunk = document.createElement("span");
    this.#write(chunk, text);
    this.#element.lastElementChild?.append(chunk);
  }

  /** @param {Element} parent @param {string} text */
  #write(parent, text) {
    if (parent.firstChild) parent.append(document.createElement("wbr"));
    parent.append(...nodesOf(text));
    let node = parent.lastChild;
    while (node instanceof Element) node = node.lastChild;
    this.#last = /** @type {Text} */ (node);
    this.#lastText = this.#last.data;
  }
}
