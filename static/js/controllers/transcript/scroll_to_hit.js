/** Show the words that a search result leads to. */

import { findWords } from "../../lib/find_words.js";

/**
 * Scroll to the words that the URL names with `text`, mark them, and focus their turn. If none can be shown, the whole
 * turn is marked.
 * @param {{exchange: HTMLElement, turn: string}} place
 * @param {(find: () => Element | Range, top: number) => void} hold
 */
export function scrollToHit({ exchange, turn }, hold) {
  const words = new URL(location.href).searchParams.getAll("text");
  exchange.tabIndex = -1;
  exchange.focus({ preventScroll: true });
  hold(() => {
    const element = exchange.querySelector(`.${turn}`) ?? exchange;
    const found = markWords(element, words);
    exchange.dataset.found = found ? "words" : turn;
    return found ?? element;
  }, innerHeight / 5);
}

/**
 * Mark the words, and return where the rarest of them is first.
 * @param {Element} turn
 * @param {string[]} words
 * @returns {Range | undefined} undefined too where the browser can't mark them
 */
function markWords(turn, words) {
  const text = turn.querySelector(":scope > .message-text");
  if (!text || !words.length || !CSS.highlights) return undefined;
  const found = words.map((word) => findWords(text, word)).filter((places) => places.length);
  CSS.highlights.set("hit", new Highlight(...found.flat()));
  return found.sort((one, other) => one.length - other.length)[0]?.[0];
}
