/**
 * What stands in the composer of a conversation. While a page is open its draft belongs to the tab alone, so
 * two tabs never write into each other's. When the page goes, a copy stays on the device: a closed tab
 * loses nothing, and the next page of the same conversation takes the copy over. Signing out wipes both.
 */
export class Drafts {
  #tab;
  #device;

  /**
   * @param {import("../lib/shelf.js").Shelf} tab
   * @param {import("../lib/shelf.js").Shelf} [device]
   */
  constructor(tab, device) {
    this.#tab = tab;
    this.#device = device;
  }

  /** What this tab has, else what an earlier one has left. @param {string} place */
  take(place) {
    const own = this.read(place);
    const left = this.#device?.read(keyOf(place)) ?? "";
    if (!own) this.write(place, left);
    if (!own || own === left) this.#device?.write(keyOf(place), null);
    return own || left;
  }

  /** @param {string} place */
  read(place) {
    return this.#tab.read(keyOf(place)) ?? "";
  }

  /** @param {string} place @param {string} text */
  write(place, text) {
    this.#tab.write(keyOf(place), text || null);
  }

  /** The page goes, perhaps for good. @param {string} place @param {string} text */
  leave(place, text) {
    if (text) this.#device?.write(keyOf(place), text);
  }
}

/** @param {string} place */
const keyOf = (place) => `draft:${place}`;
