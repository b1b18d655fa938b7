/**
 * What the tab stores of a temporary chat for a reload: the conversation, a running answer, and the text in the
 * composer. A sent message stays the draft until the server has it, so no reload loses it.
 */

import { t } from "../lib/i18n.js";
import { TemporaryConversation } from "./temporary_conversation.js";

const SAVE_EVERY_MS = 2000;

export class TemporaryChatStorage {
  #shelf;
  #now;
  #savedAt = 0;

  /**
   * @param {import("../browser/safe_storage.js").SafeStorage} shelf
   * @param {() => number} [now]
   */
  constructor(shelf, now = Date.now) {
    this.#shelf = shelf;
    this.#now = now;
  }

  get draft() {
    return this.#shelf.read("draft") ?? "";
  }

  set draft(text) {
    this.#shelf.write("draft", text || null);
  }

  /** Remove the draft, unless its text was changed since it was sent. @param {string} text */
  accepted(text) {
    if (this.draft === text) this.draft = "";
  }

  /** @param {TemporaryConversation} conversation */
  save(conversation) {
    this.#savedAt = this.#now();
    const isEmpty = !conversation.exchanges.length;
    this.#shelf.write("conversation", isEmpty ? null : conversation.serialise());
  }

  /** Save after a short delay, for an answer that is growing. @param {TemporaryConversation} conversation */
  saveSoon(conversation) {
    if (this.#now() - this.#savedAt >= SAVE_EVERY_MS) this.save(conversation);
  }

  /** Return the stored conversation. A question that the server never got becomes the draft again, or has failed. */
  restore() {
    const conversation = TemporaryConversation.restore(this.#shelf.read("conversation"));
    for (const exchange of conversation.exchanges) {
      const { answer, question } = exchange;
      if (!answer.isOver && !answer.generationId) answer.fail(LEFT);
      if (!answer.wasTaken && !answer.text && question === this.draft) conversation.remove(exchange);
    }
    return conversation;
  }
}

const LEFT = {
  code: "left",
  message: t("You left the page before this was sent. Your draft is saved. Try again."),
  retryable: true,
};
