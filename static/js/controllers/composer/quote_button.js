/** A button at a selection in an answer, which quotes it in the message. */

import { blockQuote } from "../../lib/block_quote.js";

const GAP_PX = 8;

/**
 * @param {import("./selection_quoting.js").Selected | null} selected null if nothing is selected any more
 * @param {import("./composer.js").Composer} composer
 */
export function showQuoteButton(selected, composer) {
  const button = /** @type {HTMLButtonElement} */ (document.getElementById("quote"));
  button.hidden = !selected;
  if (!selected) return;
  button.onpointerdown = (event) => event.preventDefault(); // pressing must not clear the selection
  button.onclick = () => quote(selected.text, composer);
  place(button, selected.range);
}

/**
 * @param {string} text
 * @param {import("./composer.js").Composer} composer
 */
export function quote(text, composer) {
  getSelection()?.removeAllRanges();
  composer.insert(blockQuote(text), true);
}

/**
 * Place the button below the end of the selection, where no device shows its own menu, within the window.
 * @param {HTMLElement} button
 * @param {Range} range
 */
function place(button, range) {
  const end = Array.from(range.getClientRects()).at(-1) ?? range.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = button;
  const main = /** @type {Element} */ (button.offsetParent).getBoundingClientRect();
  const isRtl = getComputedStyle(button).direction === "rtl";
  const start = isRtl ? end.left : end.right - width;
  const left = Math.min(Math.max(start, GAP_PX), innerWidth - width - GAP_PX);
  const top = Math.max(end.bottom + GAP_PX, GAP_PX);
  button.style.left = `${left - main.left}px`;
  button.style.top = `${Math.min(top, innerHeight - height - GAP_PX) - main.top}px`;
}
