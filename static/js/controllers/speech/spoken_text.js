/**
 * What is read aloud of a formatted answer, and where it is on the page. Blocks, such as paragraphs and rows of a table,
 * are separated by line breaks, which end a sentence. Code, buttons and the numbers of citations are left out.
 */

import { sentencesIn } from "../../lib/sentences.js";

const BLOCKS = new Set(
  "blockquote,dd,details,div,dl,dt,figcaption,h1,h2,h3,h4,h5,h6,hr,li,ol,p,section,summary,table,tr,ul".split(","),
);
const CELLS = new Set(["td", "th"]);
const SILENT = new Set(["annotation", "button", "pre", "script", "style", "svg"]);
const SILENT_CLASSES = ["code-block", "source-citation"];
/** Citations that are no links yet. */
const CITATION = /(\[\d{1,3}\])/;

/**
 * Part of a text node.
 * @typedef {{at: number, node: Text, from: number, length: number}} Run `at` is where it is in the text
 */

export class SpokenText {
  text = "";
  /** @type {Run[]} */
  #runs = [];

  /** @param {Element} element */
  constructor(element) {
    this.#add(element, false);
  }

  /**
   * Return the first sentence that ends after `position`; null if there is none.
   * @param {number} position
   * @param {boolean} isGrowing then the last sentence may be incomplete: undefined instead of it
   * @param {string} language
   */
  sentenceAfter(position, isGrowing, language) {
    const sentences = sentencesIn(this.text.slice(position), language);
    const { value } = sentences.next();
    if (isGrowing && (!value || sentences.next().done)) return undefined;
    if (!value) return null;
    const [start, end] = [value[0] + position, value[1] + position];
    return { text: this.text.slice(start, end), start, end };
  }

  /** @param {import("../../models/sentence_reader.js").Sentence} sentence @returns {Range | null} null if it has changed */
  rangeOf({ text, start, end }) {
    const first = this.#runs.find(({ at, length }) => at + length > start);
    const last = this.#runs.findLast(({ at }) => at < end);
    if (!first || !last || this.text.slice(start, end) !== text) return null;
    const range = document.createRange();
    range.setStart(first.node, first.from + Math.max(0, start - first.at));
    range.setEnd(last.node, last.from + Math.min(last.length, end - last.at));
    return range;
  }

  /** @param {Node} parent @param {boolean} isCode */
  #add(parent, isCode) {
    for (const child of parent.childNodes) {
      if (child.nodeType === 3) this.#addText(/** @type {Text} */ (child), isCode);
      else if (child.nodeType === 1) this.#addElement(/** @type {Element} */ (child), isCode);
    }
  }

  /** @param {Element} element @param {boolean} isCode */
  #addElement(element, isCode) {
    const { localName: name, classList } = element;
    const isBlock = BLOCKS.has(name);
    if (isBlock) this.#endLine();
    if (name === "br") this.text += " ";
    if (CELLS.has(name) && !/(^|\n)$/.test(this.text)) this.text += ", ";
    if (!SILENT.has(name) && !SILENT_CLASSES.some((each) => classList.contains(each))) {
      this.#add(element, isCode || name === "code");
    }
    if (isBlock) this.#endLine();
  }

  #endLine() {
    if (this.text && !this.text.endsWith("\n")) this.text += "\n";
  }

  /** @param {Text} node @param {boolean} isCode */
  #addText(node, isCode) {
    let from = 0;
    for (const [i, part] of (isCode ? [node.data] : node.data.split(CITATION)).entries()) {
      const { length } = part;
      if (length && i % 2 === 0) {
        this.#runs.push({ at: this.text.length, node, from, length });
        this.text += part.replace(/\s/g, " ");
      }
      from += length;
    }
  }
}
