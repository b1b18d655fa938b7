/**
 * What came before the first exchange on the page. It is fetched as the reader nears it, or when they
 * ask for it.
 */

const NEAR = "600px";

export class EarlierButton {
  #button;
  #ask;
  #isAsking = false;

  /**
   * @param {HTMLButtonElement} button
   * @param {() => Promise<void>} ask
   */
  constructor(button, ask) {
    this.#button = button;
    this.#ask = ask;
    button.addEventListener("click", () => this.#fetch());
    const near = new IntersectionObserver(([entry]) => entry?.isIntersecting && this.#fetch(), {
      rootMargin: `${NEAR} 0px`,
    });
    near.observe(button);
  }

  /** @param {boolean} isThere whether there is more */
  offer(isThere) {
    this.#button.hidden = !isThere;
  }

  async #fetch() {
    if (this.#isAsking || this.#button.hidden) return;
    this.#isAsking = true;
    this.#button.setAttribute("aria-busy", "true");
    await this.#ask();
    this.#button.removeAttribute("aria-busy");
    this.#isAsking = false;
  }
}
