/** What the buttons in formatted text do: those of code blocks, tables and footnotes. */

import { codeTools, isSettled, richTools, sourceOf } from "./enhance.js";

/**
 * @param {Element} button
 * @param {Element} text the formatted text that contains it
 * @param {(text: string, html?: string) => void} copy
 */
export function press(button, text, copy) {
  const note = button.closest("[data-note]");
  if (note) goTo(note, text);
  const table = button.closest(".table-block")?.querySelector("table");
  if (table && button.matches(".copy-table")) {
    richTools().then((tools) => copy(tools?.tabSeparated(table) ?? table.innerText, tools?.richText(table, sourceOf)));
  }
  const block = button.closest(".code-block");
  if (!block) return;
  const { language = "" } = /** @type {HTMLElement} */ (block).dataset;
  if (button.matches(".copy-code")) copy(sourceOf(block));
  else if (button.matches(".wrap-code")) toggle(button, block, "wrapped");
  else if (button.matches(".save-code")) codeTools().then((tools) => tools?.saveCode(sourceOf(block), language));
  else if (button.matches(".number-lines")) {
    // The lines of a growing block are numbered once it is complete.
    if (toggle(button, block, "numbered") && isSettled(block)) codeTools().then((tools) => tools?.numberLines(block));
  }
}

/** @param {Element} button @param {Element} block @param {string} state */
function toggle(button, block, state) {
  const isOn = block.classList.toggle(state);
  button.setAttribute("aria-pressed", String(isOn));
  return isOn;
}

/**
 * Go from a footnote's number to its text, or back.
 * @param {Element} from
 * @param {Element} text
 */
function goTo(from, text) {
  const kind = from.matches(".footnote") ? "button[data-note]" : ".footnote";
  const label = /** @type {HTMLElement} */ (from).dataset.note?.toLowerCase();
  const all = /** @type {HTMLElement[]} */ ([...text.querySelectorAll(kind)]);
  const target = all.find((each) => each.dataset.note?.toLowerCase() === label);
  for (let fold = target?.closest("details"); fold; fold = fold.parentElement?.closest("details")) fold.open = true;
  target?.focus({ preventScroll: true });
  target?.scrollIntoView({ block: "nearest" });
}
