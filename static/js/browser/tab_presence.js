/**
 * Whether anybody can be looking at this tab. A browser opens six connections to a site and no more, so a
 * tab that has been hidden for a while is away: it lets go of what it holds, and takes it up again when
 * it is back. A tab that was opened behind others is away from the beginning.
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
   * @returns {() => void} ends it
   */
  onAway(callback) {
    this.#onAway.add(callback);
    return () => this.#onAway.delete(callback);
  }

  /** Resolves when the tab is not away, which may be now. @returns {Promise<void>} */
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
