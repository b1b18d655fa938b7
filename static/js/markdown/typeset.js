/**
 * Typeset formulas as MathML with Temml, which is loaded on first use. Formulas that it cannot parse stay as they were
 * written.
 */

import { onDemand } from "../browser/on_demand.js";
import { once } from "../lib/once.js";

const module = onDemand("temml");
const styles = once(() => {
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = import.meta.resolve("temml.css");
  document.head.append(link);
  return link;
});

/**
 * @param {Element} element that holds the source of a formula
 * @param {string} source
 * @param {boolean} isDisplay
 */
export async function typeset(element, source, isDisplay) {
  styles();
  const temml = await module();
  if (!temml) return;
  // Without `trust`, Temml refuses links, images, styles and ids in formulas.
  /** @type {import("temml").Options} */
  const options = { displayMode: isDisplay, throwOnError: true, trust: false, maxExpand: 500, maxSize: [20, 20] };
  const formula = document.createElement("span");
  try {
    temml.default.render(source, formula, options);
  } catch {
    return;
  }
  if (formula.querySelector(":is(a, img, [href], [src], [style*=url])")) return;
  element.replaceChildren(...formula.childNodes);
  element.classList.add("typeset");
}
