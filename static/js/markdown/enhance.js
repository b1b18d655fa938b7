/** Enhance a settled block once: highlight code and typeset formulas, each in its own task. */

import { whenIdle } from "../browser/idle.js";
import { highlightCode } from "./highlight.js";
import { languageFile } from "./languages.js";
import { MAX_HIGHLIGHTED_LENGTH, MAX_FORMULA_LENGTH } from "./limits.js";
import { typeset } from "./typeset.js";

/** @type {WeakMap<Element, string>} */
const sources = new WeakMap();

/** Return the source of the code that an element shows. @param {Element} element */
export function codeOf(element) {
  return sources.get(element) ?? element.querySelector("code")?.textContent ?? "";
}

/** @param {import("./nodes.js").ElementNode} node */
export function enhance({ leaf, dom }) {
  if (!leaf || !dom) return;
  if (leaf.kind === "maths") {
    if (leaf.source.length <= MAX_FORMULA_LENGTH) whenIdle(() => typeset(dom, leaf.source, leaf.isDisplay));
    return;
  }
  sources.set(dom, leaf.source);
  const file = languageFile(leaf.language);
  const code = dom.querySelector("code");
  if (code && file && leaf.source.length <= MAX_HIGHLIGHTED_LENGTH) whenIdle(() => highlightCode(code, file));
}
