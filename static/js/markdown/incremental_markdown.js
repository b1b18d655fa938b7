/**
 * Parse streamed Markdown incrementally. Pure: text in, nodes out.
 *
 * Only the end of the text can change its meaning. All blocks but the last two are settled: they are neither parsed nor
 * rendered again. So each step costs as much as two blocks, however long the answer is. One exception: the definition of
 * a link or a footnote may follow its use, so blocks with such links are parsed again at the end.
 */

import { BlockReader } from "./blocks.js";
import { noteKey } from "./footnotes.js";
import { HeadingLevels } from "./heading_levels.js";
import { MarkdownLexer } from "./lexer.js";
import { pendingLength } from "./pending_markup.js";
import { knownTokens } from "./tokens.js";

/**
 * @typedef {import("./tokens.js").Token} Token
 * @typedef {import("./nodes.js").ElementNode} ElementNode
 * @typedef {object} Change
 * @property {ElementNode[]} nodes the nodes after all that were settled before
 * @property {number} settled how many of `nodes` are settled now
 * @property {[old: ElementNode, revised: ElementNode][]} revised settled nodes that have to be replaced
 * @typedef {(source: string, options: object) => string} Remend closes what is open at the end of a text
 */

const UNSETTLED_BLOCKS = 2;
const COMPLETIONS = /** @type {const} */ ({
  linkMode: "text-only",
  katex: false,
  htmlTags: false,
  setextHeadings: false,
  comparisonOperators: false,
});

export class IncrementalMarkdown {
  #tail = "";
  #endsInReturn = false;
  /** @type {ElementNode[]} */
  #nodes = [];
  /** @type {"" | "code" | "table"} */
  #place = "";
  #outline = new HeadingLevels();
  #links = noLinks();
  /** @type {Set<string>} */
  #notes = new Set();
  /** @type {{node: ElementNode, links: number}[]} */
  #mayReferToLater = [];
  #complete;

  /** @param {Remend} [remend] for growing text; not needed for complete text */
  constructor(remend) {
    this.#complete = (/** @type {string} */ source) => remend?.(source, COMPLETIONS) ?? source;
  }

  /** @param {string} piece */
  append(piece) {
    const text = (this.#endsInReturn ? "\r" : "") + piece;
    this.#endsInReturn = text.endsWith("\r");
    const whole = this.#endsInReturn ? text.slice(0, -1) : text;
    this.#tail += whole.replace(/\r\n?/g, "\n").replaceAll("\0", "\ufffd");
  }

  /** Return what has changed since the last call. @returns {Change} */
  read() {
    return { ...this.#read(true), revised: [] };
  }

  /** Return the last changes, when no more text follows. @returns {Change} */
  end() {
    if (this.#endsInReturn) this.append("\n");
    const change = this.#read(false);
    return { ...change, revised: this.#revised() };
  }

  /** @param {boolean} isOpen */
  #read(isOpen) {
    const held = isOpen ? pendingLength(this.#tail, this.#place) : 0;
    const lexer = new MarkdownLexer(noLinks(this.#links), new Set(this.#notes));
    const tokens = lexer.blocks(this.#tail.slice(0, this.#tail.length - held), isOpen);
    const shown = tokens.filter(isShown);
    const reader = new BlockReader(lexer, this.#outline.copy());
    const nodes = shown.map((token, i) =>
      reader.top(token, this.#nodes[i], isOpen && i === shown.length - 1 ? this.#complete : undefined),
    );
    this.#place = placeOf(shown.at(-1));
    const settled = this.#settle(tokens, nodes, isOpen ? nodes.length - UNSETTLED_BLOCKS : Infinity);
    this.#nodes = nodes.slice(settled);
    return { nodes, settled };
  }

  /**
   * @param {Token[]} tokens
   * @param {ElementNode[]} nodes
   * @param {number} wanted
   * @returns {number} how many nodes are settled
   */
  #settle(tokens, nodes, wanted) {
    let settled = 0;
    let length = 0;
    for (const token of tokens) {
      // The lexer's raw text must match the source, or the position would be lost.
      if (settled >= wanted || !this.#tail.startsWith(token.raw, length)) break;
      length += token.raw.length;
      collectDefinitions(token, this.#links, this.#notes);
      if (isShown(token)) this.#leave(token, nodes[settled++]);
    }
    this.#tail = this.#tail.slice(length);
    return settled;
  }

  /** @param {Token} token @param {ElementNode} node */
  #leave(token, node) {
    if (token.type === "heading") this.#outline.enter(token.depth);
    if (token.type === "code" || !token.raw.includes("[")) return;
    this.#mayReferToLater.push({ node, links: Object.keys(this.#links).length });
  }

  /** @returns {Change["revised"]} */
  #revised() {
    const count = Object.keys(this.#links).length;
    const isOld = (/** @type {{node: ElementNode, links: number}} */ { node, links }) => links < count || node.raw?.includes("[^");
    return this.#mayReferToLater.filter(isOld).map(({ node }) => [node, this.#readAgain(node)]);
  }

  /** @param {ElementNode} node */
  #readAgain(node) {
    const lexer = new MarkdownLexer(this.#links, this.#notes); // all are known, so it adds none
    const [token] = lexer.blocks(node.raw ?? "", false).filter(isShown);
    const outline = { enter: () => Number(node.tag.slice(1)) };
    return new BlockReader(lexer, outline).top(token, node);
  }
}

/** @param {import("./tokens.js").Links} [known] @returns {import("./tokens.js").Links} */
function noLinks(known = {}) {
  return Object.assign(Object.create(null), known);
}

/** @param {Token} token */
function isShown({ type }) {
  return type !== "space" && type !== "def";
}

/**
 * @param {Token} token
 * @param {import("./tokens.js").Links} links
 * @param {Set<string>} notes
 */
function collectDefinitions(token, links, notes) {
  const collect = (/** @type {import("./tokens.js").MarkedTokens} */ tokens) => {
    for (const each of knownTokens(tokens)) collectDefinitions(each, links, notes);
  };
  if (token.type === "def") links[token.tag] ??= { href: token.href, title: token.title };
  else if (token.type === "list") collect(token.items);
  else if (token.type === "blockquote" || token.type === "list_item" || token.type === "details") collect(token.tokens);
  else if (token.type === "footnote") {
    notes.add(noteKey(token.label));
    collect(token.tokens);
  }
}

/** @param {Token | undefined} token @returns {"" | "code" | "table"} */
function placeOf(token) {
  if (token?.type === "table") return "table";
  if (token?.type === "code") return isOpenFence(token) ? "code" : "";
  if (token?.type === "list") return placeOf(knownTokens(token.items.at(-1)?.tokens ?? []).at(-1));
  return token?.type === "blockquote" || token?.type === "details" ? placeOf(knownTokens(token.tokens).at(-1)) : "";
}

/** @param {import("marked").Tokens.Code} token */
function isOpenFence({ raw, codeBlockStyle }) {
  return !codeBlockStyle && !/\n[ \t>]*(?:`{3,}|~{3,})[ \t]*$/.test(raw.trimEnd());
}
