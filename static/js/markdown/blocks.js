/**
 * Convert block tokens of marked (paragraphs, lists, tables and so on) to nodes. A node whose Markdown has not changed
 * since the last parse is reused with its children, so a list with a thousand items only creates its last one again.
 */

import { t } from "../lib/i18n.js";
import { codeBlock } from "./code_block.js";
import { element, text, textOf } from "./nodes.js";
import { checkbox, footnoteLabel, formula, spans } from "./spans.js";
import { knownTokens } from "./tokens.js";

/**
 * @typedef {import("./tokens.js").MarkedTokens} MarkedTokens
 * @typedef {import("./tokens.js").Token} Token
 * @typedef {import("./nodes.js").Node} Node
 * @typedef {import("./nodes.js").ElementNode} ElementNode
 * @typedef {(source: string) => string} Complete
 */

const LINE_BREAK = /^(?:<br\s*\/?>\s*)+$/i;

export class BlockReader {
  #lexer;
  #outline;
  #definitions;

  /**
   * @param {import("./lexer.js").MarkdownLexer} lexer that has read the text
   * @param {Pick<import("./heading_levels.js").HeadingLevels, "enter">} outline
   */
  constructor(lexer, outline) {
    this.#lexer = lexer;
    this.#outline = outline;
    this.#definitions = Object.keys(lexer.tokens.links).length + lexer.notes.size;
  }

  /**
   * Convert a top-level block.
   * @param {Token} token
   * @param {Node} [old] the node in its place after the last parse
   * @param {Complete} [complete] closes open markup in the last block, which may still grow
   * @returns {ElementNode}
   */
  top(token, old, complete) {
    const kind = token.type === "heading" ? `h${this.#outline.enter(token.depth)}` : token.type;
    const node = this.#again(old, token.raw, kind, complete, (inner) =>
      token.type === "heading" ? this.#paragraph(kind, token, complete) : this.#block(token, inner, complete),
    );
    node.attributes.dir ??= "auto";
    return node;
  }

  /**
   * @param {Node | undefined} old
   * @param {string} raw
   * @param {string} kind
   * @param {Complete | undefined} complete
   * @param {(old: Node[]) => ElementNode} make gets the node's previous children
   * @returns {ElementNode}
   */
  #again(old, raw, kind, complete, make) {
    const growth = complete ? "open" : this.#lexer.isGrowing && raw.includes("[^") ? "growing" : "";
    const context = `${kind} ${this.#definitions} ${growth}`;
    const before = old && "tag" in old ? old : undefined;
    if (before?.raw === raw && before.context === context) return before;
    return Object.assign(make(before?.children ?? []), { raw, context });
  }

  /**
   * @param {Token} token
   * @param {Node[]} old
   * @param {Complete} [complete]
   * @returns {ElementNode}
   */
  #block(token, old, complete) {
    switch (token.type) {
      case "paragraph":
        return this.#paragraph("p", token, complete);
      case "heading": // in a list or quote it is no part of the outline
        return element("p", { class: "heading" }, this.#spans(token.tokens, complete));
      case "list":
        return this.#list(token, old, complete);
      case "blockquote":
        return element("blockquote", {}, this.#blocks(token.tokens, old, complete));
      case "code":
        return codeBlock(token);
      case "table":
        return this.#table(token, old, complete);
      case "hr":
        return element("hr", {}, []);
      case "maths":
        return element("p", {}, [formula(token)]);
      case "details":
        return this.#details(token, old, complete);
      case "footnote":
        return this.#footnote(token, old, complete);
      case "html":
        return html(token);
      default:
        return element("p", {}, [text(token.raw)]);
    }
  }

  /**
   * @param {string} tag
   * @param {{tokens: MarkedTokens}} token
   * @param {Complete} [complete]
   */
  #paragraph(tag, token, complete) {
    return element(tag, {}, this.#spans(token.tokens, complete));
  }

  /**
   * @param {MarkedTokens} tokens
   * @param {Node[]} old
   * @param {Complete} [complete]
   * @returns {Node[]}
   */
  #blocks(tokens, old, complete) {
    const shown = knownTokens(tokens).filter(({ type }) => type !== "space" && type !== "def");
    const last = shown.at(-1);
    /** @type {Node[]} */
    const nodes = [];
    for (const token of shown) {
      const ending = token === last ? complete : undefined;
      if (token.type === "text") nodes.push(...this.#spans(token.tokens ?? [token], ending));
      else if (token.type === "checkbox") nodes.push(checkbox(token), text(" "));
      else {
        const before = old[nodes.length];
        nodes.push(this.#again(before, token.raw, token.type, ending, (inner) => this.#block(token, inner, ending)));
      }
    }
    return nodes;
  }

  /**
   * @param {import("./details.js").Details} token
   * @param {Node[]} old
   * @param {Complete} [complete]
   */
  #details({ summary, tokens }, [, ...old], complete) {
    const name = this.#spans(summary, tokens.length ? undefined : complete);
    const head = element("summary", {}, name.length ? name : [text(t("Details"))]);
    return element("details", {}, [head, ...this.#blocks(tokens, old, complete)]);
  }

  /**
   * @param {import("./footnotes.js").Footnote} token
   * @param {Node[]} old
   * @param {Complete} [complete]
   */
  #footnote({ label, tokens }, [, , ...old], complete) {
    const back = { type: "button", class: "footnote-back", "aria-label": t("Back to the text") };
    const name = footnoteLabel(label);
    const note = { class: "footnote", role: "note", tabindex: "-1", "aria-label": t("Footnote {label}", { label: name }) };
    const parts = [element("span", {}, [text(name)]), element("button", back, [text("↩")])];
    return element("div", { ...note, "data-note": label }, [...parts, ...this.#blocks(tokens, old, complete)]);
  }

  /**
   * @param {import("marked").Tokens.List} token
   * @param {Node[]} old
   * @param {Complete} [complete]
   */
  #list({ ordered, start, loose, items }, old, complete) {
    /** @type {Record<string, string>} */
    const attributes = ordered && start !== 1 ? { start: String(start) } : {};
    if (items.some(({ task }) => task)) attributes.class = "tasks";
    const last = items.length - 1;
    const children = items.map((item, i) => {
      const ending = i === last ? complete : undefined;
      const kind = loose ? "loose" : "tight";
      return this.#again(old[i], item.raw, kind, ending, (inner) =>
        element("li", item.task ? { class: "task" } : {}, this.#blocks(item.tokens, inner, ending)),
      );
    });
    return element(ordered ? "ol" : "ul", attributes, children);
  }

  /**
   * @param {import("marked").Tokens.Table} token
   * @param {Node[]} old
   * @param {Complete} [complete]
   */
  #table({ header, align, rows }, [, oldScroller], complete) {
    const [oldTable] = childrenOf(oldScroller);
    const [oldHead, oldBody] = childrenOf(oldTable);
    const [oldHeader] = childrenOf(oldHead);
    const oldRows = childrenOf(oldBody);
    const head = this.#row(header, align, oldHeader, "th", rows.length ? undefined : complete);
    const body = rows.map((row, i) =>
      this.#row(row, align, oldRows[i], "td", i === rows.length - 1 ? complete : undefined),
    );
    const parts = [element("thead", {}, [head]), ...(body.length ? [element("tbody", {}, body)] : [])];
    const columns = head.children.map((cell) => textOf([cell]).trim()).filter(Boolean);
    const name = columns.length ? t("Table: {columns}", { columns: columns.join(", ").slice(0, 100) }) : t("Table");
    const attributes = { class: "table-scroller", role: "group", tabindex: "0", "aria-label": name };
    return element("div", { class: "table-block" }, [
      element("button", { type: "button", class: "text-button copy-table", "aria-label": t("Copy table") }, [text(t("Copy"))]),
      element("div", attributes, [element("table", {}, parts)]),
    ]);
  }

  /**
   * @param {import("marked").Tokens.TableCell[]} cells
   * @param {(string | null)[]} align
   * @param {Node | undefined} old
   * @param {"td" | "th"} tag
   * @param {Complete} [complete]
   */
  #row(cells, align, old, tag, complete) {
    const raw = cells.map((cell) => cell.text).join("\n");
    const last = complete ? cells.findLastIndex((cell) => cell.text) : -1;
    return this.#again(old, raw, `${tag} ${align.join()}`, complete, () => {
      const nodes = cells.map((cell, i) => {
        /** @type {Record<string, string>} */
        const attributes = tag === "th" ? { scope: "col" } : {};
        if (align[i]) attributes.class = `to-${align[i]}`;
        return element(tag, attributes, this.#spans(cell.tokens, i === last ? complete : undefined));
      });
      return element("tr", {}, nodes);
    });
  }

  /**
   * @param {MarkedTokens} tokens
   * @param {Complete} [complete]
   */
  #spans(tokens, complete) {
    return spans(this.#lexer.spans(tokens, complete), false, Boolean(complete));
  }
}

/** @param {import("marked").Tokens.HTML | import("marked").Tokens.Tag} token */
function html({ text: source }) {
  if (LINE_BREAK.test(source)) return element("p", {}, [element("br", {}, [])]);
  return element("p", { class: "verbatim" }, [text(source.trimEnd())]);
}

/** @param {Node | undefined} node @returns {Node[]} */
function childrenOf(node) {
  return node && "tag" in node ? node.children : [];
}
