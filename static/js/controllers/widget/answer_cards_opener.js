/**
 * Show the buttons and cards in answers to visitors, if the website's owner has them. What shows them is loaded with the
 * first message.
 */

import { onDemand } from "../../browser/on_demand.js";

const cards = onDemand("answer_cards");
/** Blocks of whole answers that aren't shown yet; an answer that was cut off may have half of one. */
const BLOCKS = '.answer[data-state="complete"]:not(:has(> .outcome:not([hidden]))) > .formatted > .code-block:is([data-language="buttons"], [data-language="cards"]):not([data-shown])';

/**
 * @param {HTMLElement} thread
 * @param {string | undefined} origins JSON of those that cards may link to; none if there are no cards
 * @param {boolean} [isReadOnly] for staff, who press no buttons
 */
export function wireCards(thread, origins, isReadOnly = false) {
  if (!origins) return;
  const allowed = JSON.parse(origins);
  new MutationObserver(look).observe(thread, { childList: true, subtree: true, attributeFilter: ["data-state"] });

  async function look() {
    const module = here ?? (await load());
    for (const block of /** @type {NodeListOf<HTMLElement>} */ (thread.querySelectorAll(BLOCKS))) {
      if (!module) block.dataset.shown = "here";
      else if (!block.dataset.shown) module.showCards(/** @type {Element} */ (block.parentElement), allowed);
    }
    module?.updateButtons(thread, isReadOnly);
  }
}

/** @type {import("../../types.js").OnDemandModules["answer_cards"] | null} */
let here = null;

/** Afterwards it is used without waiting, so that nothing moves once an answer is shown. */
async function load() {
  here = await cards();
  return here;
}
