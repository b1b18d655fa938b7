/**
 * What was typed and is not stored yet, per conversation: the draft in the composer, and the message
 * that is on its way. A message that left and of which nothing was heard goes back to the draft after a
 * reload, and keeps its key: sent again unchanged, it is the same send.
 */

import { isStored } from "./stored_conversation.js";

/** @typedef {{key: string, text: string, model: string, parent?: number}} Body */

const NEW = "new";

export class Outbox {
  #shelf;
  #place;

  /**
   * @param {import("../lib/shelf.js").Shelf} shelf
   * @param {string} conversationId
   */
  constructor(shelf, conversationId) {
    this.#shelf = shelf;
    this.#place = conversationId || NEW;
  }

  set draft(/** @type {string} */ text) {
    this.#shelf.write(`draft:${this.#place}`, text || null);
  }

  get draft() {
    return this.#shelf.read(`draft:${this.#place}`) ?? "";
  }

  /** What belongs in the composer of a page that shows `turns`. @param {import("../stream/stored.js").Turn[]} turns */
  restore(turns) {
    const unsent = this.#unsent;
    if (unsent && isStored(unsent, turns)) this.forget();
    else if (unsent && !this.draft.startsWith(unsent.text)) {
      this.draft = [unsent.text, this.draft].filter(Boolean).join("\n\n");
    }
    return this.draft;
  }

  /**
   * Keeps a message that is about to be sent.
   * @param {Body} body
   * @returns {Body} the same, or the earlier one that it repeats
   */
  keep(body) {
    const earlier = this.#unsent;
    const isRepeated = earlier && JSON.stringify({ ...earlier, key: "" }) === JSON.stringify({ ...body, key: "" });
    const kept = isRepeated ? earlier : body;
    this.#shelf.write(`unsent:${this.#place}`, JSON.stringify(kept));
    this.draft = "";
    return kept;
  }

  /** The server has the message, or nobody wants it any more. */
  forget() {
    this.#shelf.write(`unsent:${this.#place}`, null);
  }

  /** The conversation is stored now, at an address of its own. @param {string} conversationId */
  move(conversationId) {
    if (this.#place === conversationId) return;
    const { draft } = this;
    this.draft = "";
    this.#place = conversationId;
    this.draft = draft;
  }

  /** @returns {Body | null} */
  get #unsent() {
    try {
      return JSON.parse(this.#shelf.read(`unsent:${this.#place}`) ?? "null");
    } catch {
      return null;
    }
  }
}
