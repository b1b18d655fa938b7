/**
 * marked's lexer, without the rest of marked: it turns text into tokens and creates no HTML. It is changed in four ways.
 *
 * - The spans of a paragraph are parsed on request, so for a growing list only the new items are.
 * - Extreme nesting is left as text (limits.js).
 * - It parses formulas (maths.js), footnotes (footnotes.js) and sections that fold (details.js).
 * - It reads what models write and CommonMark reads differently: emphasis in Chinese, Japanese and Korean
 *   (cjk_emphasis.js), code in a block of Markdown (nested_fences.js), bars in the formulas of a table.
 */

import { Lexer, Tokenizer } from "marked";
import { endsInCjk, maskCjk, openingRule } from "./cjk_emphasis.js";
import { blockDetails } from "./details.js";
import { blockFootnote, inlineFootnote, startOfFootnote } from "./footnotes.js";
import { MAX_BLOCK_DEPTH, MAX_SPAN_DEPTH, MAX_LAZY_LENGTH, MAX_LIST_ITEMS, MAX_TABLE_ROW_LENGTH, MAX_UNCLOSED_BLOCKS, MAX_UNDERLINED_LENGTH, isTooComplex } from "./limits.js";
import { blockMaths, escapeBars, inlineMaths, maskMaths, startOfBlockMaths, startOfInlineMaths } from "./maths.js";
import { blockWithNested } from "./nested_fences.js";
import { knownTokens } from "./tokens.js";

/** @typedef {import("./tokens.js").Links} Links */
/** @typedef {import("./tokens.js").MarkedTokens} MarkedTokens */
/** @typedef {import("./tokens.js").Spans} Spans */
/** @typedef {import("./tokens.js").Token} Token */

const DEFINITION_START = /^ {0,3}\[/;
const POINT = /^ {0,3}(?:[-+*]|\d{1,9}[.)])(?:[ \t\n]|$)/;
const TABBED_POINT = /\n {0,3}(?:[-+*]|1[.)]) *\t[ \t]*[^ \t\n]/;
const QUOTED_LINES = /^(?: {0,3}>[^\n]*(?:\n|$))+/;
const LINES_OF_A_DEFINITION = /^(?:[^\n]*\n?){1,6}/;

class BoundedTokenizer extends Tokenizer {
  depth = 0;
  #unclosed = 0;

  /** @param {string} source */
  blockquote(source) {
    return this.deeper(() => super.blockquote(source.slice(0, endOfQuote(source))));
  }

  /** @param {string} source */
  list(source) {
    return this.deeper(() => super.list(source.slice(0, endOfList(source))));
  }

  /** @param {string} source */
  table(source) {
    const end = source.indexOf("\n");
    if (end < 0 || end > MAX_TABLE_ROW_LENGTH) return undefined;
    const head = source.slice(0, source.indexOf("\n", end + 1) + 1 || undefined);
    const shownHead = escapeBars(head);
    if (!super.table(shownHead)) return undefined; // without a head, all rows would be read in vain
    const table = super.table(shownHead === head ? source : shownHead + source.slice(head.length));
    if (!table) return undefined;
    const raw = linesOf(source, table.raw);
    const shown = escapeBars(raw);
    return shown === raw ? table : { ...table, ...super.table(shown), raw };
  }

  /** @param {string} source */
  fences(source) {
    const { isOpen = false } = /** @type {{isOpen?: boolean}} */ (this.lexer);
    const block = this.#unclosed < MAX_UNCLOSED_BLOCKS ? blockWithNested(source, isOpen) : null;
    if (block === "unclosed") this.#unclosed++;
    if (!block || block === "unclosed") return super.fences(source);
    const token = super.fences(block.text);
    return token && { ...token, raw: block.raw };
  }

  /** @param {string} source @param {string} masked @param {string} [before] */
  emStrong(source, masked, before) {
    return super.emStrong(source, masked, this.#before(source, before));
  }

  /** @param {string} source @param {string} masked @param {string} [before] */
  del(source, masked, before) {
    return super.del(source, masked, this.#before(source, before));
  }

  /**
   * Return the character before delimiters; none if it is of a script in which they may open after any character.
   * @param {string} source
   * @param {string} [before]
   */
  #before(source, before) {
    const text = /** @type {MarkdownLexer} */ (this.lexer).textBefore(source.length);
    return source[0] !== "_" && endsInCjk(text) ? "" : before;
  }

  /**
   * Ignore link definitions with an unclosed title, which would hide text that is already shown.
   * @param {string} source
   */
  def(source) {
    if (!DEFINITION_START.test(source)) return undefined;
    return super.def(/** @type {RegExpExecArray} */ (LINES_OF_A_DEFINITION.exec(source))[0]);
  }

  /**
   * A formula ends a paragraph, so it cannot be part of a heading. Nor can a list, but marked overlooks those with a tab.
   * @param {string} source
   */
  lheading(source) {
    const near = beginning(source);
    const paragraph = near.slice(0, startOfBlockMaths(near));
    const list = paragraph.search(TABBED_POINT);
    return super.lheading(list < 0 ? paragraph : paragraph.slice(0, list + 1));
  }

  /**
   * Read what is in a block; undefined if the nesting is too deep.
   * @template T
   * @param {() => T} read
   * @returns {T | undefined}
   */
  deeper(read) {
    if (this.depth === MAX_BLOCK_DEPTH) return undefined;
    this.depth++;
    try {
      return read();
    } finally {
      this.depth--;
    }
  }
}

const EXTENSIONS = {
  block: [blockMaths, blockFootnote, blockDetails],
  startBlock: [startOfBlockMaths, startOfFootnote],
  inline: [inlineMaths, inlineFootnote],
  startInline: [startOfInlineMaths],
  renderers: {},
  childTokens: {},
};

export class MarkdownLexer extends Lexer {
  /** Whether what is being parsed may still grow. */
  isOpen = false;
  /** Whether text may follow the last block. */
  isGrowing = false;
  /** The footnotes so far. @type {Set<string>} */
  notes;
  #tokenizer;
  #source = "";
  #depth = 0;

  /**
   * @param {Links} links earlier link definitions, to which this lexer adds
   * @param {Set<string>} [notes] earlier footnotes, likewise
   */
  constructor(links, notes = new Set()) {
    const tokenizer = new BoundedTokenizer();
    const hooks = { emStrongMask: (/** @type {string} */ masked) => maskCjk(maskMaths(masked, this.#source)) };
    // The options that a lexer reads. In the extensions for formulas, `this.lexer` is this object.
    const options = /** @type {unknown} */ ({ gfm: true, tokenizer, extensions: EXTENSIONS, hooks });
    super(/** @type {import("marked").MarkedOptions} */ (options));
    const { inline } = tokenizer.rules;
    const own = { emStrongLDelim: openingRule(inline.emStrongLDelim), delLDelim: openingRule(inline.delLDelim) };
    tokenizer.rules = { ...tokenizer.rules, inline: { ...inline, ...own } };
    this.#tokenizer = tokenizer;
    this.tokens.links = links;
    this.notes = notes;
  }

  /** Whether the current text is in a quote or a list. */
  get isNested() {
    return this.#tokenizer.depth > 0;
  }

  /** Return the end of the current text before its last characters. @param {number} count of these */
  textBefore(count) {
    const end = this.#source.length - count;
    return this.#source.slice(Math.max(0, end - 2), end);
  }

  /**
   * Return the blocks of a text; their spans are not parsed yet.
   * @param {string} source
   * @param {boolean} isOpen
   * @returns {Token[]}
   */
  blocks(source, isOpen) {
    this.isOpen = this.isGrowing = isOpen;
    this.blockTokens(source, this.tokens);
    for (const { src, tokens } of this.inlineQueue.splice(0)) /** @type {Spans} */ (tokens).source = src;
    return knownTokens(this.tokens);
  }

  /**
   * Return the blocks in a block; undefined if the nesting is too deep.
   * @param {string} source
   */
  nested(source) {
    const { top } = this.state;
    this.state.top = true;
    const tokens = this.#tokenizer.deeper(() => this.blockTokens(source, []));
    this.state.top = top;
    return tokens;
  }

  /**
   * Return the spans of a paragraph, heading or cell.
   * @param {Spans} tokens
   * @param {(source: string) => string} [complete] closes open markup at the end
   * @returns {Token[]}
   */
  spans(tokens, complete) {
    const { source } = tokens;
    if (source === undefined) return knownTokens(tokens);
    delete tokens.source;
    this.isOpen = Boolean(complete);
    this.state.inRawBlock = this.state.inLink = false;
    if (isTooComplex(source)) tokens.push(plain(source));
    else this.inlineTokens(complete ? complete(source) : source, tokens);
    return knownTokens(tokens);
  }

  /**
   * @param {string} source
   * @param {MarkedTokens} [tokens]
   */
  inlineTokens(source, tokens = []) {
    if (this.#depth === MAX_SPAN_DEPTH) return [...tokens, plain(source)];
    const outer = this.#source;
    this.#source = source;
    this.#depth++;
    try {
      return super.inlineTokens(source, tokens);
    } finally {
      this.#depth--;
      this.#source = outer;
    }
  }
}

/**
 * Return where the first item beyond the limit of a list starts; undefined if the list is shorter.
 * @param {string} source
 */
function endOfList(source) {
  if (!POINT.test(source)) return undefined;
  const indent = source.search(/\S/);
  let isAfterBlank = false;
  for (let at = 0, points = 0, end; at < source.length; at = end) {
    end = source.indexOf("\n", at) + 1 || source.length;
    const line = source.slice(at, end);
    const isPoint = POINT.test(line) && line.search(/\S/) <= indent;
    if (isPoint && points++ === MAX_LIST_ITEMS) return at;
    if (isAfterBlank && !isPoint && /^\S/.test(line)) return undefined;
    isAfterBlank = !line.trim();
  }
  return undefined;
}

/**
 * Return where a quote ends at the latest. marked takes all lines up to a blank one for a quote, and finds out afterwards
 * which are; if many quotes follow each other, that takes the square of their length.
 * @param {string} source
 */
function endOfQuote(source) {
  const quoted = QUOTED_LINES.exec(source)?.[0].length;
  if (!quoted || source.length - quoted <= MAX_LAZY_LENGTH) return undefined;
  return source.indexOf("\n", quoted + MAX_LAZY_LENGTH) + 1 || undefined;
}

/** Return as many lines of a source as another text has. @param {string} source @param {string} text */
function linesOf(source, text) {
  let end = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) end = source.indexOf("\n", end) + 1;
  return text.endsWith("\n") ? source.slice(0, end) : source.slice(0, source.indexOf("\n", end) >>> 0);
}

/** Return the first lines, in which a heading may be underlined. @param {string} source */
function beginning(source) {
  if (source.length <= MAX_UNDERLINED_LENGTH) return source;
  return source.slice(0, source.lastIndexOf("\n", MAX_UNDERLINED_LENGTH) + 1);
}

/** @param {string} text @returns {import("marked").Tokens.Text} */
function plain(text) {
  return { type: "text", raw: text, text };
}
