/**
 * Write growing Markdown into an element. incremental_markdown.js decides what is parsed, patch.js what is changed on the
 * page.
 *
 * There is no sanitizer, because no step creates HTML from a string.
 */

import { enhance, richTools, sourceOf } from "./enhance.js";
import { IncrementalMarkdown } from "./incremental_markdown.js";
import { collectLeaves } from "./nodes.js";
import { patch, replaceNode } from "./patch.js";

export { press } from "./presses.js";

/** Return formatted text as HTML for the clipboard. @param {Element} element */
export const htmlOf = async (element) => (await richTools())?.richText(element, sourceOf) ?? "";

/** @typedef {import("./nodes.js").ElementNode} ElementNode */

export class Markdown {
  #element;
  #remend;
  #reading;
  /** @type {ElementNode[]} */
  #open = [];
  /** @type {Element | undefined} the last block that stays as it is */
  #settled;
  /** @type {Element | null} */
  #last = null;

  /**
   * @param {Element | DocumentFragment} element an empty one
   * @param {import("./incremental_markdown.js").Remend} [remend] for growing text; without it, more markup appears and disappears
   */
  constructor(element, remend) {
    this.#element = element;
    this.#remend = remend;
    this.#reading = new IncrementalMarkdown(remend);
  }

  /** @param {string} piece */
  append(piece) {
    this.#reading.append(piece);
    this.#show(this.#reading.read());
    this.#markEnd(this.#element);
  }

  /** Show the rest, when no more text follows. */
  end() {
    this.#show(this.#reading.end());
    this.#markEnd(null);
  }

  clear() {
    this.#element.replaceChildren();
    this.#reading = new IncrementalMarkdown(this.#remend);
    this.#open = [];
    this.#settled = undefined;
  }

  /** @param {import("./incremental_markdown.js").Change} change */
  #show({ nodes, settled, revised }) {
    patch(this.#element, this.#open, nodes, this.#settled);
    if (settled) this.#settled = nodes[settled - 1].dom;
    for (const [old, next] of revised) if (old !== next) replaceNode(old, next);
    this.#open = nodes.slice(settled);
    const news = [...nodes.slice(0, settled), ...revised.map(([, next]) => next)];
    for (const leaf of collectLeaves(news)) enhance(leaf);
  }

  /** Return where to put the caret. @param {Element | DocumentFragment | null} element */
  #markEnd(element) {
    const last = element?.lastElementChild;
    const end = last ? endOf(last) : null;
    if (end === this.#last) return;
    this.#last?.removeAttribute("data-end");
    end?.setAttribute("data-end", "");
    this.#last = end;
  }
}

const BLOCKS = new Set(["ul", "ol", "li", "p", "blockquote", "div", "pre", "table", "thead", "tbody", "tr", "th", "td"]);

/** Return the block that contains the end of the text. @param {Element} element @returns {Element} */
function endOf(element) {
  const last = element.lastElementChild;
  const isBlock = last && (BLOCKS.has(last.localName) || element.localName === "pre");
  return isBlock ? endOf(last) : element;
}
