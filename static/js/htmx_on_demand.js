/**
 * Load htmx on first use: when the sidebar must be updated, or the pointer or focus comes near an element that uses it.
 * An earlier press is repeated.
 */

import { onDemand } from "./browser/on_demand.js";

const PRESSED = ":is(a, button):is([hx-get], [hx-post])";
const SEEN = "[hx-trigger*=intersect]";

const module = onDemand("htmx");
let isHere = false;

/** Resolves once htmx listens, or could not be had. @returns {Promise<boolean>} whether it does */
export async function loadHtmx() {
  await pageLoaded(); // before, it would wait for an event that is over
  isHere = (await module()) !== null;
  return isHere;
}

/** @param {() => void} fail says that what was pressed does not work now */
export function loadHtmxWhenNeeded(fail) {
  for (const name of ["pointerover", "focusin"]) {
    document.addEventListener(name, ({ target }) => pressed(target) && loadHtmx());
  }
  const near = new IntersectionObserver((entries) => entries.some(({ isIntersecting }) => isIntersecting) && loadHtmx());
  for (const each of document.querySelectorAll(SEEN)) near.observe(each);
  document.addEventListener("click", (event) => isHere || pressAgain(event, fail), { capture: true });
}

/** @type {HTMLElement | null} what was pressed last, and too early */
let wanted = null;

/** @param {MouseEvent} event @param {() => void} fail */
async function pressAgain(event, fail) {
  const element = pressed(event.target);
  if (!element) return;
  event.preventDefault();
  event.stopPropagation();
  wanted = element;
  await loadHtmx();
  if (wanted !== element) return;
  wanted = null;
  if (isHere) element.click();
  else if (element instanceof HTMLAnchorElement) location.assign(element.href); // as without scripts
  else fail();
}

/** @param {EventTarget | null} target */
function pressed(target) {
  return /** @type {HTMLElement | null} */ (target instanceof Element ? target.closest(PRESSED) : null);
}

/** @returns {Promise<void>} */
function pageLoaded() {
  if (document.readyState === "complete") return Promise.resolve();
  return new Promise((resolve) => addEventListener("load", () => resolve(), { once: true }));
}
