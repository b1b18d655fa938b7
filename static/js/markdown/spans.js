/** Convert inline tokens of marked to nodes. Unknown tokens are shown as they were written. */

import { t } from "../lib/i18n.js";
import { decodeEntities, showBidiControls, stripBidiControls } from "./characters.js";
import { LINK_ATTRIBUTES, safeUrl, hostNote } from "./links.js";
import { element, text, textOf } from "./nodes.js";
import { knownTokens } from "./tokens.js";

/** @typedef {import("./tokens.js").Token} Token */
/** @typedef {import("./nodes.js").Node} Node */
/** @typedef {import("marked").Tokens.Image} Image */
/** @typedef {import("marked").Tokens.Link} Link */

const LINE_BREAK = /^<br\s*\/?>$/i;
/** HTML that models write where Markdown has nothing. */
const TAG = /^<(\/?)(kbd|sub|sup)>$/i;

/**
 * @param {Token[]} tokens
 * @param {boolean} [isInLink]
 * @param {boolean} [isOpen] whether they may still grow
 * @returns {Node[]}
 */
export function spans(tokens, isInLink = false, isOpen = false) {
  /** @type {Node[]} */
  const nodes = [];
  let tag = ""; // the name of an open one
  let start = -1; // where it is
  for (const token of tokens) {
    const [, slash, name = ""] = (token.type === "html" && TAG.exec(token.text.toLowerCase())) || [];
    if (name && !slash && !tag) [tag, start] = [name, nodes.length];
    if (slash && name === tag) {
      nodes.push(enclosed(tag, nodes.splice(start)));
      tag = "";
    } else nodes.push(...[span(token, isInLink)].flat());
  }
  if (isOpen && tag) nodes.push(enclosed(tag, nodes.splice(start)));
  return merged(nodes);
}

/** @param {string} name @param {Node[]} nodes the tag and what follows it */
function enclosed(name, [, ...content]) {
  return element(name, {}, merged(content));
}

/**
 * @param {Token} token
 * @param {boolean} isInLink
 * @returns {Node | Node[]}
 */
function span(token, isInLink) {
  switch (token.type) {
    case "text":
      return text(decodeEntities(token.text));
    case "escape":
      return text(token.text);
    case "strong":
    case "em":
    case "del":
      return element(token.type, {}, spans(knownTokens(token.tokens), isInLink));
    case "codespan":
      return element("code", {}, [text(showBidiControls(token.text))]);
    case "br":
      return element("br", {}, []);
    case "link":
      return isInLink ? spans(knownTokens(token.tokens), true) : link(token);
    case "image":
      return image(token, isInLink);
    case "maths":
      return formula(token);
    case "footnoteReference":
      return isInLink ? text(token.raw) : footnoteReference(token.label);
    case "checkbox":
      return [checkbox(token), text(" ")];
    case "html":
      return LINE_BREAK.test(token.text) ? element("br", {}, []) : text(token.text);
    default:
      return text(token.raw);
  }
}

/** @param {Link} token */
function link({ href, tokens, autolink }) {
  const label = spans(knownTokens(tokens), true);
  const url = safeUrl(autolink ? href : decodeEntities(href));
  if (!url) return label;
  return anchor(url, autolink ? knownTokens(tokens).map((each) => text("text" in each ? each.text : each.raw)) : label);
}

/**
 * Do not load images: their server would learn that this text was read, and get data in the URL.
 * @param {Image} token
 * @param {boolean} isInLink
 */
function image({ href, tokens, text: alt }, isInLink) {
  const label = textOf(spans(knownTokens(tokens), true)) || decodeEntities(alt);
  const url = isInLink ? null : safeUrl(decodeEntities(href));
  if (!url) return text(label);
  return anchor(url, [text(label || t("Image"))], { class: "picture" }, url.host);
}

/**
 * @param {URL} url
 * @param {Node[]} label
 * @param {Record<string, string>} [attributes]
 * @param {string} [note]
 */
function anchor(url, label, attributes = {}, note = hostNote(textOf(label), url)) {
  const children = straight(textOf(label).trim() ? label : [text(url.href)]);
  if (note) children.push(text(" "), element("bdi", { class: "host" }, [text(`(${note})`)]));
  return element("a", { ...attributes, href: url.href, ...LINK_ATTRIBUTES }, children);
}

/**
 * Remove characters that change the direction of the text after them.
 * @param {Node[]} nodes
 * @returns {Node[]}
 */
function straight(nodes) {
  return nodes.map((node) =>
    "text" in node ? text(stripBidiControls(node.text)) : { ...node, children: straight(node.children) },
  );
}

/** @param {import("./maths.js").Maths} token @returns {import("./nodes.js").ElementNode} */
export function formula({ text: source, isDisplay }) {
  const scrolls = { class: "maths display", role: "group", tabindex: "0", "aria-label": t("Formula") };
  const attributes = isDisplay ? scrolls : { class: "maths" };
  return { ...element("span", attributes, [text(source)]), leaf: { kind: "maths", source, isDisplay } };
}

/** @param {string} label */
function footnoteReference(label) {
  const name = footnoteLabel(label);
  const attributes = { type: "button", class: "footnote-reference", "aria-label": t("Footnote {label}", { label: name }) };
  return element("sup", {}, [element("button", { ...attributes, "data-note": label }, [text(name)])]);
}

/** @param {string} label */
export function footnoteLabel(label) {
  return stripBidiControls(label);
}

/** @param {import("marked").Tokens.Checkbox} token */
export function checkbox({ checked }) {
  const name = checked ? t("Done") : t("To do");
  const state = checked ? { checked: "" } : undefined;
  return element("input", { type: "checkbox", disabled: "", "aria-label": name, ...state }, []);
}

/**
 * Merge adjacent text nodes, so that they grow as one.
 * @param {Node[]} nodes
 */
function merged(nodes) {
  /** @type {Node[]} */
  const result = [];
  for (const node of nodes) {
    const last = result.at(-1);
    if (last && "text" in last && "text" in node) last.text += node.text;
    else result.push(node);
  }
  return result;
}
