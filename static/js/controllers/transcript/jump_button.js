import { AutoScroll } from "../../browser/auto_scroll.js";

/** Follow the end of the page; if the reader has scrolled away, offer a button to return. */
export class JumpButton {
  #button;
  #dock;
  #autoScroll;
  #follows;
  #height = 0;

  /**
   * @param {HTMLElement} button
   * @param {HTMLElement} page
   * @param {() => void} onJump
   * @param {AbortSignal} [signal] ends it
   */
  constructor(button, page, onJump, signal) {
    this.#button = button;
    this.#follows = page.dataset.scrolling === "end";
    this.#dock = /** @type {HTMLElement} */ (button.parentElement);
    this.#autoScroll = new AutoScroll([page, this.#dock], () => this.#update(), signal);
    button.addEventListener("click", () => {
      this.toEnd();
      onJump();
    });
  }

  /** Whether the end of the page is in view. */
  get isNearEnd() {
    return this.#autoScroll.isNearEnd;
  }

  toEnd() {
    this.#autoScroll.toEnd();
  }

  /** Show a question at the top, with room for its answer, or the end. @param {HTMLElement} exchange */
  toQuestion(exchange) {
    const question = /** @type {HTMLElement | null} */ (exchange.querySelector(".question"));
    if (this.#follows) this.toEnd();
    else this.#autoScroll.pin(exchange, question?.offsetHeight ?? 0);
  }

  /** Change something above the visible part without moving the visible part. @param {() => void} change */
  keepPlace(change) {
    this.#autoScroll.keepPlace(change);
  }

  /**
   * Change something and keep the element that `find` returns in the same place in the window.
   * @param {() => Element | null} find
   * @param {() => void} change
   */
  keepInView(find, change) {
    this.#autoScroll.keepInView(find, change);
  }

  /**
   * Show an element, and keep it in its place until the reader scrolls.
   * @param {() => Element | Range | null | undefined} find
   * @param {number} top of the element, from the window's top
   */
  hold(find, top) {
    this.#autoScroll.hold(find, top);
  }

  /** Stop following, because the page is empty again. */
  release() {
    this.#autoScroll.release();
    this.#button.hidden = true;
  }

  #update() {
    const { scrollHeight: height, style } = document.documentElement;
    style.setProperty("--dock", `${this.#dock.offsetHeight}px`);
    const hasGrown = height > this.#height;
    this.#height = height;
    this.#button.hidden = !this.#autoScroll.hasBegun || this.#autoScroll.follows || this.#autoScroll.isNearEnd;
    if (this.#button.hidden) this.#button.removeAttribute("data-news");
    else if (hasGrown && isBelow(document.querySelector(".exchange:last-child"))) this.#button.setAttribute("data-news", "");
  }
}

/** Whether a turn begins below the window: what grows in view is what the reader reads. @param {Element | null} turn */
const isBelow = (turn) => (turn?.getBoundingClientRect().top ?? 0) > innerHeight;
