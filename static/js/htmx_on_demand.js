/**
 * Load htmx on first use: when the sidebar must be updated, or the pointer or focus comes near an element that uses it.
 * A click that came before it was loaded is repeated.
 */

import { onDemand } from "./browser/on_demand.js";

const PRESSED = ":is(a, button):is([hx-get], [hx-post])";
const SEEN = "[hx-trigger*=intersect]";

const module = onDemand("htmx");
let isHere = false;

/** Resolve once htmx is ready or failed to load. @returns {Promise<boolean>} whether it is ready */
export async function loadHtmx() {
  await pageLoaded(); // htmx waits for DOMContentLoaded if it is loaded earlier
  isHere = (await module()) !== null;
  return isHere;
}

/** @param {() => void} fail tells the user that the button does not work now */
export function loadHtmxWhenNeeded(fail) {
  for (const name of ["pointerover", "focusin"]) {
    document.addEventListener(name, ({ target }) => pressed(target) && loadHtmx());
  }
  const near = new IntersectionObserver((entries) => entries.some(({ isIntersecting }) => isIntersecting) && loadHtmx());
  for (const each of document.querySelectorAll(SEEN)) near.observe(each);
  document.addEventListener("click", (event) => isHere || pressAgain(event, fail), { capture: true });
}

/** @type {HTMLElement | null} the element that was clicked last before htmx was loaded */
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
  else if (element instanceof HTMLAnchorElement) location.assign(element.href); // follow the link as without scripts
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
