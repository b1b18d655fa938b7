/**
 * The text in the composer, kept over a reload. A message that was sent stays the draft until the
 * server has it: a reload at the wrong moment puts it back.
 */
export class Draft {
  #shelf;

  /** @param {import("../lib/shelf.js").Shelf} shelf */
  constructor(shelf) {
    this.#shelf = shelf;
  }

  get text() {
    return this.#shelf.read("draft") ?? "";
  }

  /** @param {string} text */
  keep(text) {
    this.#shelf.write("draft", text || null);
  }

  /** The server has `text`; something else that was written meanwhile stays. @param {string} text */
  accepted(text) {
    if (this.text.trim() === text.trim()) this.keep("");
  }
}
