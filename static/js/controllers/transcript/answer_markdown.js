/**
 * The text of an answer. The Markdown code is loaded with the first answer; until then, and if it fails to load, the
 * source is shown.
 */

import { onDemand } from "../../browser/on_demand.js";
import { writeText } from "../../browser/write_text.js";
import { copyWith } from "../ui/copy_button.js";
import { MarkdownWriter } from "./markdown_writer.js";

/** @typedef {typeof import("../../markdown/markdown.js")} Renderer */
/** @typedef {{default: import("../../markdown/incremental_markdown.js").Remend}} Helper */

const renderer = onDemand("markdown");
const helper = onDemand("remend");
/** @type {{renderer: Renderer | null, helper: Helper | null}} the modules loaded so far */
const here = { renderer: null, helper: null };

/** Load the code, because an answer will be shown soon. */
export async function prepareToRead() {
  here.renderer = await renderer();
}

/** Load the code for running answers too, because one will start soon. */
export async function prepareToWrite() {
  [here.renderer, here.helper] = await Promise.all([renderer(), helper()]);
}

export class AnswerMarkdown {
  #element;
  #status;
  #text = "";
  /** @type {boolean | null} null before anything is shown */
  #isOver = null;
  /** @type {MarkdownWriter | null} */
  #formatted = null;

  /**
   * @param {HTMLElement} element
   * @param {Pick<import("../ui/status.js").Status, "hint">} status
   */
  constructor(element, status) {
    this.#element = element;
    this.#status = status;
  }

  /** What is shown as HTML for the clipboard; "" while it is not formatted. */
  get html() {
    return this.#formatted && here.renderer ? here.renderer.htmlOf(this.#element) : "";
  }

  /**
   * @param {string} text the whole text so far
   * @param {boolean} isOver
   */
  show(text, isOver) {
    if (text.length === this.#text.length && text === this.#text && isOver === this.#isOver) return;
    this.#text = text;
    this.#isOver = isOver;
    this.#update();
    if (!this.#formatted || !(isOver || here.helper)) this.#ask(isOver);
  }

  /** @param {boolean} isOver */
  async #ask(isOver) {
    await (isOver ? prepareToRead() : prepareToWrite());
    if (!this.#formatted) this.#update();
  }

  #update() {
    if (here.renderer) this.#formatted ??= this.#inForm(here.renderer);
    if (this.#formatted) this.#formatted.show(this.#text, Boolean(this.#isOver));
    else if (this.#element.textContent !== this.#text) writeText(this.#element, this.#text);
  }

  /** @param {Renderer} renderer */
  #inForm({ Markdown, press }) {
    this.#element.addEventListener("click", ({ target }) => {
      const button = /** @type {Element} */ (target).closest("button");
      if (button) press(button, this.#element, (text, html) => copyWith(button, text, this.#status, html));
    });
    const remend = (/** @type {[string, object]} */ ...text) => here.helper?.default(...text) ?? text[0];
    return new MarkdownWriter(this.#element, (box) => new Markdown(box, remend));
  }
}
