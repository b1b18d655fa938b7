/**
 * A chat that the server keeps. The page shows what is stored there: it follows an answer that is being
 * written, whoever asked for it, and looks for news when somebody comes back to the tab.
 */

import { onReturn } from "../lib/wake.js";
import { t } from "../lib/words.js";
import { Outbox } from "../models/outbox.js";
import { StoredConversation } from "../models/stored_conversation.js";
import { messagesOf, pageOf } from "../stream/addresses.js";
import { StreamError } from "../stream/errors.js";
import { sendRating } from "../stream/rating.js";
import { storedConversation, storedMessage } from "../stream/stored.js";
import { Chat } from "./chat.js";
import { EarlierButton } from "./earlier_button.js";
import { turnsIn } from "./turns.js";

/** @typedef {import("../models/exchanges.js").Exchange} Exchange */
/** @typedef {import("../stream/responses.js").Place} Place */

/** After these nobody knows whether the server has the send: it can only be repeated as it was. */
const UNKNOWN = new Set(["network", "not_understood", "leaving"]);

export class StoredChat extends Chat {
  #outbox;
  #turns;
  #sidebar;
  #earlier;
  #isLooking = false;
  #missedALook = false;

  /** @param {Record<string, any>} parts */
  constructor(parts) {
    const turns = turnsIn(parts.thread);
    const link = parts.thread.querySelector("#earlier"); // for people without scripts
    const hasEarlier = link !== null;
    link?.remove();
    super(parts, StoredConversation.of(parts.page.dataset.conversation ?? "", turns, hasEarlier));
    this.#earlier = new EarlierButton(parts.earlier, () => this.#showEarlier());
    this.#turns = turns;
    this.#outbox = new Outbox(parts.shelf, this.#conversation.id, parts.device);
    this.#sidebar = parts.sidebar;
    onReturn(() => this.#look());
    addEventListener("pagehide", () => this.#outbox.leave());
  }

  get id() {
    return this.#conversation.id;
  }

  open() {
    super.open(this.#outbox.restore(this.#turns));
    this.#earlier.offer(this.#conversation.hasEarlier);
    this.models.choose(this.conversation.last?.answer.model ?? "");
    this.#follow();
  }

  /** @param {string} text */
  send(text) {
    if (this.run || this.#conversation.unsent) {
      this.composer.text = text;
      this.status.hint(t("The message before this one has not reached the site. Try it again first, or edit it."));
      return;
    }
    const body = this.#conversation.bodyOf(text, this.models.chosen);
    const exchange = this.conversation.add(text, body.model);
    exchange.body = body;
    this.thread.add(exchange);
    this.#begin(exchange);
    this.jump.toEnd();
    this.composer.focus();
  }

  /** @param {string} text */
  written(text) {
    this.#outbox.draft = text;
    if (!text && !this.#conversation.unsent) this.#outbox.forget();
  }

  /** @param {Exchange} exchange @param {Place} place */
  taken(exchange, place) {
    const isFirst = !this.#conversation.id;
    this.#missedALook ||= this.#conversation.has(place.questionId, exchange);
    this.#outbox.forget();
    this.#conversation.accepted(exchange, place);
    if (isFirst) {
      this.#outbox.move(this.#conversation.id);
      history.replaceState(null, "", pageOf(this.#conversation.id));
    }
    this.#sidebar.refresh(); // it is the newest now
  }

  /** @param {Exchange} exchange */
  ended(exchange) {
    const { problem } = exchange.answer;
    if (exchange.body && problem && !UNKNOWN.has(problem.code)) delete exchange.body;
    if (this.#missedALook || problem?.code === "conflict") this.#look();
    else this.#follow();
  }

  /** @param {Exchange} exchange @param {import("../models/answer.js").Opinion} opinion */
  async rate({ answer }, opinion) {
    try {
      await sendRating(this.world, this.#conversation.id, answer.messageId, opinion);
    } catch (error) {
      if (!(error instanceof StreamError)) throw error;
      this.status.hint(error.message);
      return false;
    }
    this.status.hint(opinion.value ? t("Thank you. Your opinion is kept.") : t("Your opinion is taken back."));
    return true;
  }

  /** @param {Exchange} exchange */
  again(exchange) {
    this.#conversation.tryAgain(exchange, this.models.chosen);
    this.#begin(exchange);
  }

  /** @param {Exchange} exchange */
  proceed(exchange) {
    this.#conversation.proceed(exchange);
    this.#begin(exchange);
  }

  /** @param {Exchange} exchange */
  #begin(exchange) {
    const { answer } = exchange;
    if (exchange.body?.text !== undefined) exchange.body = this.#outbox.keep(exchange.body);
    const send = exchange.body ? { url: messagesOf(this.#conversation.id), body: exchange.body } : null;
    this.start(exchange, send, () =>
      storedMessage(this.world, this.#conversation.id, answer.messageId),
    );
  }

  /** Reads on where an answer is being written. */
  #follow() {
    const { running } = this.#conversation;
    if (running && !this.run) this.#begin(running);
  }

  /** Has this conversation gone on elsewhere? */
  async #look() {
    this.#missedALook = Boolean(this.run);
    if (this.run || this.#isLooking || !this.#conversation.id) return;
    this.#isLooking = true;
    try {
      const { turns, has_earlier } = await storedConversation(this.world, this.#conversation.id);
      if (!this.run) this.#show(turns, has_earlier);
    } catch (error) {
      this.#couldNotLook(/** @type {Error} */ (error));
    } finally {
      this.#isLooking = false;
    }
  }

  async #showEarlier() {
    const { id, exchanges } = this.#conversation;
    const first = exchanges[0]?.questionId;
    try {
      const { turns, has_earlier } = await storedConversation(this.world, id, first);
      if (this.#conversation.exchanges[0]?.questionId !== first) return; // another branch is shown by now
      this.#conversation.prepend(turns, has_earlier);
      this.jump.keepPlace(() => this.thread.show(this.conversation.exchanges));
    } catch (error) {
      this.#couldNotLook(/** @type {Error} */ (error), true);
    }
    this.#earlier.offer(this.#conversation.hasEarlier);
  }

  /** @param {import("../stream/stored.js").Turn[]} turns @param {boolean} hasEarlier */
  #show(turns, hasEarlier) {
    const news = this.#conversation.reconcile(turns, hasEarlier);
    this.#earlier.offer(this.#conversation.hasEarlier);
    this.thread.show(this.conversation.exchanges);
    this.showWhetherEmpty();
    if (news.length) this.#sidebar.refresh();
    this.#follow();
  }

  /** @param {Error} error @param {boolean} [isAsked] somebody waits for it */
  #couldNotLook(error, isAsked = false) {
    if (!(error instanceof StreamError)) throw error;
    const isFinal = error.code === "deleted" || error.code === "signed_out";
    if (isFinal || isAsked) this.status.hint(error.message);
  }

  get #conversation() {
    return /** @type {StoredConversation} */ (this.conversation);
  }
}
