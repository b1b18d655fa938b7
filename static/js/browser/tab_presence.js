/**
 * Whether the user may be looking at this tab. Browsers open at most six connections to a site, so a tab that has been
 * hidden for a while counts as away: it closes its connections and reopens them when it returns. A tab opened in the
 * background starts as away.
 */

const LETS_GO_AFTER_MS = 10_000;

export class TabPresence {
  isAway;
  #page;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** @type {Set<() => void>} */
  #onAway = new Set();
  /** @type {Set<() => void>} */
  #onBack = new Set();

  /** @param {Document} [page] */
  constructor(page = document) {
    this.#page = page;
    this.isAway = page.visibilityState === "hidden";
    page.addEventListener("visibilitychange", () => this.#changed());
  }

  /**
   * @param {() => void} callback
   * @returns {() => void} a function that stops listening
   */
  onAway(callback) {
    this.#onAway.add(callback);
    return () => this.#onAway.delete(callback);
  }

  /** Resolve when the tab is no longer away; at once if it is not. @returns {Promise<void>} */
  async whenBack() {
    if (this.isAway) await new Promise((resolve) => this.#onBack.add(() => resolve(undefined)));
  }

  #changed() {
    clearTimeout(this.#timer);
    if (this.#page.visibilityState === "hidden") {
      this.#timer = setTimeout(() => this.#leave(), LETS_GO_AFTER_MS);
    } else this.#return();
  }

  #leave() {
    this.isAway = true;
    for (const callback of [...this.#onAway]) callback();
  }

  #return() {
    this.isAway = false;
    for (const callback of this.#onBack) callback();
    this.#onBack.clear();
  }
}
