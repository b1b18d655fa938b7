import { holdPlace } from "../../browser/hold_place.js";

/**
 * Scroll to the turn that a search result leads to, mark it and focus it.
 * @param {{exchange: HTMLElement, turn: string}} place
 * @param {typeof holdPlace} [hold]
 */
export function scrollToHit({ exchange, turn }, hold = holdPlace) {
  exchange.dataset.found = turn;
  exchange.tabIndex = -1;
  exchange.focus({ preventScroll: true });
  hold(() => exchange.querySelector(`.${turn}`) ?? exchange, innerHeight / 5);
}
