/**
 * Drafts of a conversation: the text in the composer, or the message being sent. While a page is open, they belong to
 * its tab, so two tabs never overwrite each other's. When the page closes, a copy stays on the device: a closed tab
 * loses nothing, and the next page of the conversation restores it. Signing out deletes both.
 */
export class Drafts {
  #kind;
  #tab;
  #device;

  /**
   * @param {string} kind
   * @param {import("../browser/safe_storage.js").SafeStorage} tab
   * @param {import("../browser/safe_storage.js").SafeStorage} [device]
   */
  constructor(kind, tab, device) {
    this.#kind = kind;
    this.#tab = tab;
    this.#device = device;
  }

  /** Return this tab's draft, or the one that a closed tab has left. @param {string} place */
  take(place) {
    const own = this.read(place);
    const left = this.#device?.read(this.#keyOf(place)) ?? "";
    if (!own) this.write(place, left);
    if (!own || own === left) this.#device?.write(this.#keyOf(place), null);
    return own || left;
  }

  /** @param {string} place */
  read(place) {
    return this.#tab.read(this.#keyOf(place)) ?? "";
  }

  /** @param {string} place @param {string} text */
  write(place, text) {
    this.#tab.write(this.#keyOf(place), text || null);
  }

  /** Keep the draft on the device, because the page is closing. @param {string} place @param {string} text */
  leave(place, text) {
    if (text) this.#device?.write(this.#keyOf(place), text);
  }

  /** @param {string} place */
  #keyOf(place) {
    return `${this.#kind}:${place}`;
  }
}
