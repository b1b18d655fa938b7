/**
 * Navigate staff pages by single keys: j and k for the next and previous item, n and p for pages, / to search, u for
 * up.
 */

const LINKS = { n: 'a[rel="next"]', u: 'a[rel="up"]' };

export class KeyboardNavigation {
  #document;

  /** @param {Document} document */
  constructor(document) {
    this.#document = document;
    document.addEventListener("keydown", (event) => this.#pressed(event));
  }

  /** @param {KeyboardEvent} event */
  #pressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || isWriting(event.target)) return;
    if (!this.#act(event.key)) return;
    event.preventDefault();
  }

  /** @param {string} key */
  #act(key) {
    if (key === "j" || key === "ArrowDown") return this.#step(1, key === "j");
    if (key === "k" || key === "ArrowUp") return this.#step(-1, key === "k");
    // The page's own search comes before the field in the header.
    if (key === "/") return this.#focus('#main input[type="search"]') || this.#focus('input[type="search"]');
    if (key === "p") return this.#back();
    if (key === "n" || key === "u") return this.#follow(LINKS[key]);
    return false;
  }

  /**
   * Move the focus between items. Arrow keys only do so from an item; elsewhere they scroll.
   * @param {number} by
   * @param {boolean} isLetter
   */
  #step(by, isLetter) {
    const steps = /** @type {HTMLElement[]} */ ([...this.#document.querySelectorAll("[data-step]")]);
    const at = steps.findIndex((each) => each === this.#document.activeElement);
    if (at < 0 && !isLetter) return false;
    const next = steps[at < 0 ? (by > 0 ? 0 : steps.length - 1) : at + by];
    if (!next) return at >= 0;
    next.focus();
    next.scrollIntoView({ block: "nearest" });
    return true;
  }

  /** @param {string} what */
  #focus(what) {
    const field = /** @type {HTMLInputElement | null} */ (this.#document.querySelector(what));
    field?.select();
    field?.focus();
    return Boolean(field);
  }

  /** @param {string} what */
  #follow(what) {
    const link = /** @type {HTMLAnchorElement | null} */ (this.#document.querySelector(what));
    link?.click();
    return Boolean(link);
  }

  /** Go to the previous page: to earlier messages of a chat, or back in the browser's history for a list. */
  #back() {
    if (this.#follow('a[rel="prev"]')) return true;
    if (!this.#document.querySelector('a[rel="start"]')) return false;
    history.back();
    return true;
  }
}

/** @param {EventTarget | null} target */
function isWriting(target) {
  return target instanceof Element && target.closest("input, textarea, select, [contenteditable]") !== null;
}
