/** The branch of a stored conversation that the page shows: its stored messages and its URL. */

import { fetchConversation } from "../../api/conversations.js";
import { ApiError } from "../../api/errors.js";
import { conversationUrl } from "../../api/urls.js";

/** @typedef {Awaited<ReturnType<typeof fetchConversation>>} Page */

export class ShownBranch {
  isAsking = false;
  #env;
  #conversation;
  #signal;
  #questions = 0; // only the latest request counts

  /**
   * @param {import("../../browser/browser_env.js").BrowserEnv} env
   * @param {import("../../models/stored_conversation.js").StoredConversation} conversation
   * @param {AbortSignal} signal the page shows another chat from then on
   */
  constructor(env, conversation, signal) {
    this.#env = env;
    this.#conversation = conversation;
    this.#signal = signal;
  }

  /**
   * Load the branch through a message; without a message, or if it was deleted, the branch used last.
   * @param {number} at
   * @returns {Promise<Page | null>} null if another branch or chat was requested meanwhile
   */
  async ask(at) {
    const question = ++this.#questions;
    this.isAsking = true;
    try {
      const page = await this.#stored(at);
      return question === this.#questions && !this.#signal.aborted ? page : null;
    } finally {
      if (question === this.#questions) this.isAsking = false;
    }
  }

  /** Show in the URL the branch through a message, or without one the branch used last. @param {number} [at] */
  showAddress(at = 0) {
    if (this.#signal.aborted) return;
    history.replaceState(null, "", conversationUrl(this.#conversation.id) + (at ? `?at=${at}` : ""));
  }

  /** Whether the URL names a branch. */
  get isNamed() {
    return new URLSearchParams(location.search).has("at");
  }

  /** @param {number} at @returns {Promise<Page>} */
  async #stored(at) {
    const { id } = this.#conversation;
    try {
      return await fetchConversation(this.#env, id, { at });
    } catch (error) {
      if (!at || !(error instanceof ApiError) || error.code !== "deleted") throw error;
      const page = await fetchConversation(this.#env, id);
      this.showAddress();
      return page;
    }
  }
}
