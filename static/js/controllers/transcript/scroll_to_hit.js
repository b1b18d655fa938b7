/**
 * Scroll to the words that a search result leads to, mark them, and focus their turn. Formatting nearby turns changes
 * their height, so this keeps them in view until that is done or the reader scrolls.
 */

import { findWords } from "../../lib/find_words.js";

const SETTLED_MS = 1200;
const MOVES = ["wheel", "touchstart", "keydown", "pointerdown"];

/**
 * The words are those that the URL names with `text`. If none can be shown, the whole turn is marked.
 * @param {{exchange: HTMLElement, turn: string}} place
 */
export function scrollToHit({ exchange, turn }) {
  const words = new URL(location.href).searchParams.getAll("text");
  exchange.tabIndex = -1;
  const bring = () => {
    const element = exchange.querySelector(`.${turn}`) ?? exchange;
    const found = markWords(element, words);
    exchange.dataset.found = found ? "words" : turn;
    const top = (found ?? element).getBoundingClientRect().top + scrollY - innerHeight / 5;
    scrollTo({ top, behavior: "instant" });
  };
  const growth = new ResizeObserver(bring);
  const stop = () => {
    growth.disconnect();
    for (const move of MOVES) removeEventListener(move, stop);
  };
  for (const move of MOVES) addEventListener(move, stop, { passive: true });
  setTimeout(stop, SETTLED_MS);
  growth.observe(/** @type {HTMLElement} */ (exchange.parentElement));
  bring();
  exchange.focus({ preventScroll: true });
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
