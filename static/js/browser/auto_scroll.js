/**
 * Keep the end of the page in view while it grows. Any upward scroll is the reader's (wheel, finger, key, scroll bar,
 * assistive technology) and pauses it; returning to the end resumes it. It never scrolls up itself, so the two cannot
 * be confused. Starts with `toEnd`.
 *
 * After `pin`, the page stays where it is until the next `toEnd`.
 */

import { holdPlace } from "./hold_place.js";

const NEAR_PX = 50;
/** Of the window, a pinned element has at most so much; of a longer one, the end is shown. */
const PINNED_SHARE = 0.4;

export class AutoScroll {
  follows = false;
  hasBegun = false;
  #page = document.documentElement;
  #onChange;
  /** @type {HTMLElement | null} */
  #pinned = null;
  #top = 0;
  #height = 0;
  #viewport = 0;
  #isHeld = false;
  #signal;

  /**
   * @param {Element[]} contents the elements whose growth is followed
   * @param {() => void} onChange called when `follows`, their size or `isNearEnd` changes
   * @param {AbortSignal} [signal] ends it
   */
  constructor(contents, onChange, signal) {
    this.#onChange = onChange;
    this.#signal = signal;
    addEventListener("scroll", () => this.#scrolled(), { passive: true, signal });
    addEventListener("wheel", (event) => event.deltaY < 0 && this.#leave(), { passive: true, signal });
    const growth = new ResizeObserver(() => this.#grown());
    for (const each of contents) growth.observe(each);
    signal?.addEventListener("abort", () => growth.disconnect());
  }

  get isNearEnd() {
    const { scrollHeight, scrollTop, clientHeight } = this.#page;
    return scrollHeight - scrollTop - clientHeight <= NEAR_PX;
  }

  /**
   * Bring an element to the top of the window, and make it so high that what is added to it has room.
   * @param {HTMLElement} element the last one of the content; its scroll margin is what covers the window
   * @param {number} height of its part that is there already
   */
  pin(element, height) {
    this.#unpin();
    this.#pinned = element;
    this.follows = false;
    this.hasBegun = true;
    const { scrollTop, scrollHeight, clientHeight } = this.#page;
    const hidden = Math.max(0, height - clientHeight * PINNED_SHARE);
    const above = parseFloat(getComputedStyle(element).scrollMarginBlockStart) - hidden;
    const { top, bottom } = element.getBoundingClientRect();
    element.style.minBlockSize = `calc(100dvh - ${Math.ceil(above + scrollHeight - scrollTop - bottom)}px)`;
    this.#page.scrollTo({ top: scrollTop + top - above, behavior: "instant" });
    this.#remember();
    this.#onChange();
  }

  #unpin() {
    this.#pinned?.style.removeProperty("min-block-size");
    this.#pinned = null;
  }

  /** Scroll to the end and stay there. */
  toEnd() {
    this.#unpin();
    this.follows = this.hasBegun = true;
    this.#page.scrollTo({ top: this.#page.scrollHeight, behavior: "instant" });
    this.#remember();
    this.#onChange();
  }

  /** Change something above the visible part without moving the visible part. @param {() => void} change */
  keepPlace(change) {
    const fromEnd = this.#page.scrollHeight - this.#page.scrollTop;
    change();
    this.#page.scrollTo({ top: this.#page.scrollHeight - fromEnd, behavior: "instant" });
    this.#remember();
  }

  /**
   * Change something and keep the element that `find` returns in the same place in the window.
   * @param {() => Element | null} find
   * @param {() => void} change
   */
  keepInView(find, change) {
    const top = () => find()?.getBoundingClientRect().top ?? 0;
    const before = top();
    this.#set(false);
    change();
    this.#page.scrollBy({ top: top() - before, behavior: "instant" });
    this.#remember();
  }

  /**
   * Show an element, and keep it in its place until the reader scrolls.
   * @param {() => Element | Range | null | undefined} find
   * @param {number} top of the element, from the window's top
   */
  hold(find, top) {
    this.#unpin();
    this.follows = false;
    this.hasBegun = this.#isHeld = true;
    const onEnd = () => (this.#isHeld = false);
    holdPlace(find, top, { onMove: () => this.#remember(), onEnd, signal: this.#signal });
    this.#onChange();
  }

  /** Scroll to the top and follow nothing. */
  release() {
    this.#unpin();
    this.follows = this.hasBegun = false;
    this.#page.scrollTo({ top: 0, behavior: "instant" });
    this.#remember();
  }

  #scrolled() {
    const { scrollTop, scrollHeight, clientHeight } = this.#page;
    const sameSize = scrollHeight >= this.#height && clientHeight <= this.#viewport;
    if (this.#pinned || this.#isHeld) this.#onChange(); // the end may have come into view, or gone
    else if (scrollTop < this.#top - 1 && sameSize) this.#leave();
    else if (scrollTop > this.#top && this.isNearEnd && this.hasBegun) this.#set(true);
    this.#remember();
  }

  #grown() {
    if (this.follows) this.toEnd();
    else this.#onChange();
  }

  #leave() {
    if (this.#page.scrollHeight > this.#page.clientHeight + 1) this.#set(false);
  }

  /** @param {boolean} follows */
  #set(follows) {
    if (this.follows === follows) return;
    this.follows = follows;
    this.#onChange();
  }

  #remember() {
    this.#top = this.#page.scrollTop;
    this.#height = this.#page.scrollHeight;
    this.#viewport = this.#page.clientHeight;
  }
}
