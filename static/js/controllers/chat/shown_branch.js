/** The branch of a stored conversation that the page shows: what the server has of it, and its address. */

import { pageOf } from "../../stream/addresses.js";
import { StreamError } from "../../stream/errors.js";
import { storedConversation } from "../../stream/stored.js";

/** @typedef {Awaited<ReturnType<typeof storedConversation>>} Page */

export class ShownBranch {
  isAsking = false;
  #world;
  #conversation;
  #questions = 0; // the last one counts

  /**
   * @param {import("../../stream/connection.js").World} world
   * @param {import("../../models/stored_conversation.js").StoredConversation} conversation
   */
  constructor(world, conversation) {
    this.#world = world;
    this.#conversation = conversation;
  }

  /**
   * What the server has of the branch through a message; without one, or where that was deleted, of the branch
   * that was used last.
   * @param {number} at
   * @returns {Promise<Page | null>} null where something else was asked for since
   */
  async ask(at) {
    const question = ++this.#questions;
    this.isAsking = true;
    try {
      const page = await this.#stored(at);
      return question === this.#questions ? page : null;
    } finally {
      if (question === this.#questions) this.isAsking = false;
    }
  }

  /** The address leads to the branch through a message, or to the one that was used last. @param {number} [at] */
  showAddress(at = 0) {
    history.replaceState(null, "", pageOf(this.#conversation.id) + (at ? `?at=${at}` : ""));
  }

  /** Whether the address leads elsewhere than to the branch that was used last. */
  get isNamed() {
    return location.search !== "";
  }

  /** @param {number} at @returns {Promise<Page>} */
  async #stored(at) {
    const { id } = this.#conversation;
    try {
      return await storedConversation(this.#world, id, { at });
    } catch (error) {
      if (!at || !(error instanceof StreamError) || error.code !== "deleted") throw error;
      const page = await storedConversation(this.#world, id);
      this.showAddress();
      return page;
    }
  }
}
