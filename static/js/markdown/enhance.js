/** Enhance a settled block once: highlight code and typeset formulas, each in its own task. */

import { whenIdle } from "../browser/idle.js";
import { onDemand } from "../browser/on_demand.js";
import { languageFile } from "./languages.js";
import { MAX_FORMULA_LENGTH } from "./limits.js";
import { typeset } from "./typeset.js";

export const codeTools = onDemand("code_tools");
export const richTools = onDemand("rich_text");
/** Without a grammar, but with tools. */
const SHOWN = new Set(["csv", "tsv", "mermaid", "mmd"]);

/** @type {WeakMap<Element, string>} */
const sources = new WeakMap();

/** Return the source of the code or formula that an element shows. @param {Element} element */
export function sourceOf(element) {
  return sources.get(element) ?? (element.querySelector("code") ?? element).textContent ?? "";
}

/** Return whether the code that an element shows is complete. @param {Element} element */
export function isSettled(element) {
  return sources.has(element);
}

/** @param {import("./nodes.js").ElementNode} node */
export function enhance({ leaf, dom }) {
  if (!leaf || !dom) return;
  sources.set(dom, leaf.source);
  if (leaf.kind === "maths") {
    if (leaf.source.length <= MAX_FORMULA_LENGTH) whenIdle(() => typeset(dom, leaf.source, leaf.isDisplay));
    return;
  }
  const file = languageFile(leaf.language);
  const needsTools = file || SHOWN.has(leaf.language) || dom.classList.contains("numbered");
  if (needsTools) whenIdle(async () => (await codeTools())?.finishCode(dom, leaf, file));
}
