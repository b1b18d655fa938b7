/**
 * What a page shows, as plain objects: text, or elements from a fixed list of names and attributes. They cannot contain
 * HTML.
 *
 * @typedef {{text: string, dom?: Text}} TextNode
 * @typedef {object} ElementNode
 * @property {string} tag
 * @property {Record<string, string>} attributes
 * @property {Node[]} children
 * @property {Leaf} [leaf] how to enhance it once it is settled
 * @property {string} [raw] the Markdown that it was made from
 * @property {string} [context] other text that it depends on
 * @property {Element} [dom]
 * @typedef {TextNode | ElementNode} Node
 * @typedef {{kind: "code", source: string, language: string} | {kind: "maths", source: string, isDisplay: boolean}} Leaf
 */

import { MAX_RUN_LENGTH, breakable } from "../lib/breakable_text.js";

/**
 * @param {string} tag
 * @param {Record<string, string>} attributes
 * @param {Node[]} children
 * @returns {ElementNode}
 */
export function element(tag, attributes, children) {
  return { tag, attributes, children };
}

/** @param {string} text @returns {Node} a text, or an element of such that can be laid out quickly */
export function text(text) {
  if (text.length <= MAX_RUN_LENGTH) return { text };
  const lines = breakable(text).map(broken);
  if (lines.length > 1) return element("span", {}, lines.map((parts) => element("span", { class: "text-line" }, parts)));
  return lines[0].length > 1 ? element("span", {}, lines[0]) : { text };
}

/** @param {string[]} parts @returns {Node[]} */
function broken(parts) {
  return parts.flatMap((text, i) => [...(i ? [element("wbr", {}, [])] : []), { text }]);
}

/** Return the text of these nodes. @param {Node[]} nodes @returns {string} */
export function textOf(nodes) {
  return nodes.map((node) => ("text" in node ? node.text : textOf(node.children))).join("");
}

/** Return these nodes and their descendants that have a `leaf`. @param {Node[]} nodes @returns {ElementNode[]} */
export function collectLeaves(nodes) {
  return nodes.flatMap((node) => {
    if ("text" in node) return [];
    return node.leaf ? [node] : collectLeaves(node.children);
  });
}
