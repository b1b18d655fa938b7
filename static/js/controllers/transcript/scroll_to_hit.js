/**
 * Scroll to the turn that a search result leads to, mark it and focus it. Formatting nearby turns changes their height,
 * so this keeps it in view until that is done or the reader scrolls.
 */

const SETTLED_MS = 1200;
const MOVES = ["wheel", "touchstart", "keydown", "pointerdown"];

/** @param {{exchange: HTMLElement, turn: string}} place */
export function scrollToHit({ exchange, turn }) {
  exchange.dataset.found = turn;
  exchange.tabIndex = -1;
  exchange.focus({ preventScroll: true });
  const bring = () => {
    const element = exchange.querySelector(`.${turn}`) ?? exchange;
    const top = element.getBoundingClientRect().top + scrollY - innerHeight / 5;
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
}
