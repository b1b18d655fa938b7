/** Track selections in answers and requests to quote them; the button is loaded on first use. */

import { onDemand } from "../../browser/on_demand.js";

const SETTLE_MS = 200;
const quoting = onDemand("quote_button");

/**
 * @param {() => import("./composer.js").Composer} composer the one on the page
 * @returns {() => Promise<boolean>} quotes the selection; resolves to whether there was one
 */
export function wireSelectionQuoting(composer) {
  let isPressed = false;
  let isOffered = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  document.addEventListener("pointerdown", () => (isPressed = true));
  for (const name of ["pointerup", "pointercancel"]) {
    document.addEventListener(name, () => {
      isPressed = false;
      soon();
    });
  }
  document.addEventListener("selectionchange", soon);

  function soon() {
    clearTimeout(timer);
    timer = setTimeout(offer, SETTLE_MS);
  }

  async function offer() {
    if (isPressed || (!isOffered && !selectedOfAnAnswer())) return;
    isOffered = true;
    (await quoting())?.showQuoteButton(selectedOfAnAnswer(), composer());
  }

  return async () => {
    const selected = selectedOfAnAnswer();
    if (selected) (await quoting())?.quote(selected.text, composer());
    return selected !== null;
  };
}

/** @typedef {{text: string, range: Range}} Selected */

/** @returns {Selected | null} */
function selectedOfAnAnswer() {
  const selection = getSelection();
  const text = selection?.isCollapsed ? "" : (selection?.toString().trim() ?? "");
  if (!selection || !text) return null;
  const range = selection.getRangeAt(0);
  const { commonAncestorContainer: node } = range;
  const element = node instanceof Element ? node : node.parentElement;
  return element?.closest(".answer > .message-text") ? { text, range } : null;
}
