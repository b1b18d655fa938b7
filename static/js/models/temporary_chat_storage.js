/**
 * What the tab stores of a temporary chat for a reload: the conversation, a running answer, and the text in the
 * composer. A sent message stays the draft until the server has it, so no reload loses it.
 */

import { t } from "../lib/i18n.js";
import { withoutImages } from "./tab_images.js";
import { TemporaryConversation } from "./temporary_conversation.js";

const SAVE_EVERY_MS = 2000;

export class TemporaryChatStorage {
  #shelf;
  #now;
  #savedAt = 0;
  /** Whether images were named that a reload has forgotten. */
  hasLostImages = false;

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

  /**
   * Return the stored conversation, with the names of its images, which only the page had. A question that the server
   * never got becomes the draft again, or has failed.
   */
  restore() {
    const conversation = TemporaryConversation.restore(this.#shelf.read("conversation"));
    for (const exchange of conversation.exchanges) {
      const { answer, question } = exchange;
      if (!answer.isOver && !answer.generationId) answer.fail(LEFT);
      if (!answer.wasTaken && !answer.text && question === this.draft) conversation.remove(exchange);
    }
    this.#forgetImages(conversation);
    return conversation;
  }

  /** @param {TemporaryConversation} conversation */
  #forgetImages({ exchanges }) {
    const before = [this.draft, ...exchanges.map(({ question }) => question)].join();
    this.draft = withoutImages(this.draft, () => false); // they can be added again
    for (const exchange of exchanges) exchange.question = withoutImages(exchange.question);
    this.hasLostImages = before !== [this.draft, ...exchanges.map(({ question }) => question)].join();
  }
}

const LEFT = {
  code: "left",
  message: t("You left the page before this was sent. Your draft is saved. Try again."),
  retryable: true,
};
