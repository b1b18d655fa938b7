/** What every chat has that the server keeps, a member's and a visitor's: its outbox, its sends, its opinions. */

import { t } from "../lib/i18n.js";
import { messagesUrl } from "../api/urls.js";
import { ApiError } from "../api/errors.js";
import { sendRating } from "../api/rating.js";
import { findConversationOfSend, fetchMessage } from "../api/conversations.js";
import { Chat } from "./chat.js";
import { EarlierButton } from "./earlier_button.js";
import { report } from "./reporting.js";

/** @typedef {import("../models/conversation.js").Exchange} Exchange */
/** @typedef {import("../models/stored_conversation.js").StoredConversation} StoredConversation */

/** After these nobody knows whether the server has the send: it can only be repeated as it was. */
const UNKNOWN = new Set(["network", "not_understood", "leaving", "busy"]);

/** @abstract */
export class KeptChat extends Chat {
  /** @type {import("../models/outbox.js").Outbox} */
  outbox;
  /** Leads to what was said before. */
  earlier;
  /** Why nothing can be sent here any more; empty where it can. */
  closed = document.getElementById("closed")?.textContent ?? "";

  /**
   * @param {Record<string, any>} parts of the page
   * @param {StoredConversation} conversation
   * @param {import("../models/outbox.js").Outbox} outbox
   */
  constructor(parts, conversation, outbox) {
    super(parts, conversation);
    this.shelf = parts.shelf;
    this.outbox = outbox;
    conversation.options = (model) => this.models.optionsFor(model);
    this.earlier = new EarlierButton(parts.earlier, () => this.#showEarlier());
  }

  /** @param {import("../models/outbox.js").Outbox} outbox */
  useOutbox(outbox) {
    this.outbox = outbox;
  }

  get id() {
    return this.kept.id;
  }

  get kept() {
    return /** @type {StoredConversation} */ (this.conversation);
  }

  /** @param {string} text */
  send(text) {
    if (this.run || this.kept.unsent || this.closed) {
      this.composer.text = text; // first, for writing clears what is said
      this.refuses();
      return;
    }
    const body = this.bodyOf(text);
    const exchange = this.conversation.add(text, body.model ?? "");
    exchange.body = body;
    this.thread.add(exchange);
    this.begin(exchange);
    this.jump.toEnd();
    this.composer.focus();
  }

  /** What is sent for a text. @param {string} text @returns {any} */
  bodyOf(text) {
    return this.kept.bodyOf(text, this.models.chosen);
  }

  /** @param {Exchange} [exchange] */
  refuses(exchange) {
    const { unsent } = this.kept;
    if (this.closed) {
      this.status.hint(this.closed);
      return true;
    }
    if (this.run || !unsent || unsent === exchange) return super.refuses();
    this.status.hint(t("The message before this one has not reached the site. Try it again first, or edit it."));
    return true;
  }

  /** @param {string} text */
  written(text) {
    this.outbox.draft = text;
    if (!text && !this.kept.unsent) this.outbox.forget();
  }

  /** @param {Exchange} exchange */
  begin(exchange) {
    if (exchange.body?.text !== undefined) exchange.body = this.keep(exchange);
    if (exchange.body) exchange.answer.effort = exchange.body.reasoning_effort ?? exchange.answer.effort;
    const send = exchange.body ? { url: messagesUrl(this.id), body: exchange.body } : null;
    this.start(exchange, send, () => fetchMessage(this.env, this.id, exchange.answer.messageId));
  }

  /** Until it has arrived, a send is kept here. @param {Exchange} exchange @returns {any} its body */
  keep(exchange) {
    return this.outbox.keep(/** @type {import("../types.js").StoredSend} */ (exchange.body));
  }

  /** @param {Exchange} exchange */
  proceed(exchange) {
    this.kept.proceed(exchange);
    this.begin(exchange);
  }

  /** Reads on where an answer is being written. */
  follow() {
    const { running } = this.kept;
    if (running && !this.run) this.begin(running);
  }

  /** @param {Exchange} exchange */
  ended(exchange) {
    const { problem } = exchange.answer;
    if (exchange.body && problem && !UNKNOWN.has(problem.code)) delete exchange.body;
  }

  /** Where a message that was on its way when its page went has arrived; "" where nobody knows of it. */
  async arrivedAt() {
    const key = this.outbox.unsentKey;
    const id = key && (await findConversationOfSend(this.env, key));
    if (!id || this.run || this.outbox.unsentKey !== key) return "";
    this.outbox.arrived();
    if (this.composer.text !== this.outbox.draft) this.composer.text = this.outbox.draft;
    return id;
  }

  async #showEarlier() {
    const first = this.kept.exchanges[0]?.questionId ?? 0;
    try {
      const { turns, hasEarlier } = await this.turnsBefore(first);
      if (this.kept.exchanges[0]?.questionId !== first) return; // something else is shown by now
      this.kept.prepend(turns, hasEarlier);
      this.jump.keepPlace(() => this.thread.show(this.conversation.exchanges));
    } catch (error) {
      this.hintAt(/** @type {Error} */ (error));
    }
    this.earlier.offer(this.kept.hasEarlier);
  }

  /**
   * What was said before a question.
   * @abstract
   * @param {number} _id
   * @returns {Promise<{turns: import("../api/conversations.js").StoredMessage[], hasEarlier: boolean}>}
   */
  async turnsBefore(_id) {
    throw new Error("not implemented");
  }

  /** What somebody waits for did not work. @param {Error} error */
  hintAt(error) {
    if (!(error instanceof ApiError)) throw error;
    this.status.hint(error.message);
  }

  /** @param {Exchange} exchange */
  report({ answer }) {
    report(this, answer.messageId);
  }

  /** @param {Exchange} exchange @param {import("../models/answer.js").Opinion} opinion */
  async rate({ answer }, opinion) {
    const error = await sendRating(this.env, this.id, answer.messageId, opinion);
    const thanks = opinion.value ? t("Thank you. Your opinion is kept.") : t("Your opinion is taken back.");
    this.status.hint(error?.message ?? thanks);
    return !error;
  }
}
