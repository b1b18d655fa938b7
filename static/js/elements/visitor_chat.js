/**
 * A chat on somebody's website. The server keeps it as it keeps a member's; a visitor has one branch of it, in a frame
 * that may go at any moment: what was written and not sent is there again when the website shows the frame anew.
 */

import { onReturn } from "../lib/wake.js";
import { t } from "../lib/words.js";
import { Outbox } from "../models/outbox.js";
import { StoredConversation } from "../models/stored_conversation.js";
import { messagesOf } from "../stream/addresses.js";
import { StreamError } from "../stream/errors.js";
import { sendRating } from "../stream/rating.js";
import { conversationOfSend, storedMessage } from "../stream/stored.js";
import { Chat } from "./chat.js";
import { EarlierButton } from "./earlier_button.js";

/** @typedef {import("../models/exchanges.js").Exchange} Exchange */
/** @typedef {import("../stream/responses.js").Place} Place */

const PLACE = "conversation";
const RECENT_MS = 24 * 60 * 60 * 1000; // what was said longer ago is in the list, and a new chat begins
/** After these nobody knows whether the server has the send: it can only be repeated as it was. */
const UNKNOWN = new Set(["network", "not_understood", "leaving", "busy"]);

export class VisitorChat extends Chat {
  /** Another conversation is shown. */
  onShow = () => {};
  #visit;
  #shelf;
  #outbox;
  #tell;
  #earlier;
  #looks = 0; // the last one counts

  /**
   * @param {Record<string, any>} parts of the page: see widget.js
   * @param {import("../stream/visit.js").Visit} visit
   * @param {(type: string, more: object) => void} tell the website
   */
  constructor(parts, visit, tell) {
    super({ ...parts, world: visit.world }, new StoredConversation());
    this.#visit = visit;
    this.#shelf = parts.shelf;
    this.#outbox = new Outbox(parts.shelf, "");
    this.#tell = tell;
    this.#earlier = new EarlierButton(parts.earlier, () => this.#showEarlier());
    onReturn(() => this.look());
  }

  /** The conversation that this tab was at, or the one that was said something in last. */
  async resume() {
    const id = this.#shelf.read(PLACE) ?? (await this.#recent());
    if (this.run || this.conversation.last) return; // somebody was quicker
    try {
      if (id) await this.goTo(id, true);
    } catch (error) {
      if (!(error instanceof StreamError) || error.status !== 404) throw error;
      this.#shelf.write(PLACE, "");
    }
    if (!this.composer.text) this.composer.text = this.#outbox.restore([]);
    await this.#lookForUnsent();
  }

  async #recent() {
    const [newest] = await this.#visit.conversations();
    return newest && Date.now() - Date.parse(newest.updated_at) < RECENT_MS ? newest.id : "";
  }

  /**
   * Shows a conversation, or an empty page for a new one.
   * @param {string} id
   * @param {boolean} [takesTextAlong] what is in the composer is meant for it
   */
  async goTo(id, takesTextAlong = false) {
    const look = ++this.#looks;
    const { turns, hasEarlier } = id ? await this.#visit.conversation(id) : { turns: [], hasEarlier: false };
    if (look !== this.#looks) return;
    this.run?.leave();
    this.idle();
    this.conversation = StoredConversation.of(id, turns, hasEarlier);
    const { text } = this.composer;
    if (takesTextAlong) this.#outbox.draft = "";
    this.#shelf.write(PLACE, id);
    this.#outbox = new Outbox(this.#shelf, id);
    this.thread.clear();
    this.thread.show(this.conversation.exchanges);
    this.#earlier.offer(hasEarlier);
    this.showWhetherEmpty();
    this.composer.text = (takesTextAlong && text) || this.#outbox.restore(turns);
    if (id) this.jump.toEnd();
    else this.jump.release();
    this.#follow();
    this.onShow();
  }

  /** Somebody may be somebody else now: what is not theirs goes. */
  async recheck() {
    const { id } = this.#conversation;
    if (id && !(await this.#visit.conversation(id).catch(() => null))) await this.startOver();
    if (!id) await this.resume(); // what is theirs may be known only now
  }

  /** Nothing stays of who was here. */
  async startOver() {
    this.#shelf.clear();
    this.composer.text = "";
    await this.goTo("");
  }

  /** @param {string} text */
  send(text) {
    if (this.run || this.#conversation.unsent) {
      this.composer.text = text;
      this.refuses();
      return;
    }
    this.#looks++; // what is on its way to be shown is not wanted any more
    const { model: _none, ...body } = this.#conversation.bodyOf(text, "");
    const exchange = this.conversation.add(text, "");
    exchange.body = body;
    this.thread.add(exchange);
    this.begin(exchange);
    this.jump.toEnd();
    this.composer.focus();
  }

  /** @param {Exchange} [exchange] */
  refuses(exchange) {
    const { unsent } = this.#conversation;
    if (this.run || !unsent || unsent === exchange) return super.refuses();
    this.status.hint(t("The message before this one has not reached the site. Try it again first, or edit it."));
    return true;
  }

  /** @param {string} text */
  written(text) {
    this.#outbox.draft = text;
    if (!text && !this.#conversation.unsent) this.#outbox.forget();
  }

  /** @param {Exchange} exchange */
  begin(exchange) {
    const { answer, body } = exchange;
    if (body) delete body.model; // the site's owner chooses
    if (body?.text !== undefined) exchange.body = this.#outbox.keep(/** @type {any} */ (body));
    const send = exchange.body ? { url: messagesOf(this.#conversation.id), body: exchange.body } : null;
    this.start(exchange, send, () => storedMessage(this.world, this.#conversation.id, answer.messageId));
  }

  /** @param {Exchange} exchange */
  proceed(exchange) {
    this.#conversation.proceed(exchange);
    this.begin(exchange);
  }

  /** @param {Exchange} exchange @param {Place} place */
  taken(exchange, place) {
    const isFirst = !this.#conversation.id;
    this.#outbox.forget();
    this.#conversation.accepted(exchange, place);
    if (isFirst) {
      this.#outbox.move(this.#conversation.id);
      this.#shelf.write(PLACE, this.#conversation.id);
    }
    this.thread.changed(exchange);
    this.#tell("message", { role: "user" });
  }

  /** @param {Exchange} exchange */
  ended(exchange) {
    const { problem, text } = exchange.answer;
    if (exchange.body && problem && !UNKNOWN.has(problem.code)) delete exchange.body;
    if (problem) this.#tell("error", { code: problem.code });
    if (text) this.#tell("message", { role: "assistant" });
  }

  /** @param {Exchange} exchange @param {import("../models/answer.js").Opinion} opinion */
  async rate({ answer }, opinion) {
    const error = await sendRating(this.world, this.#conversation.id, answer.messageId, opinion);
    const thanks = opinion.value ? t("Thank you. Your opinion is kept.") : t("Your opinion is taken back.");
    this.status.hint(error?.message ?? thanks);
    return !error;
  }

  /** The same visitor may have gone on in another tab. */
  async look() {
    const { id } = this.#conversation;
    if (!id || this.run) return;
    const look = ++this.#looks;
    const page = await this.#visit.conversation(id).catch((error) => this.#passed(error));
    if (!page || this.run || look !== this.#looks) return;
    this.#conversation.reconcile(page.turns, page.hasEarlier);
    this.thread.show(this.conversation.exchanges);
    this.showWhetherEmpty();
    this.#follow();
  }

  async #showEarlier() {
    const { id, exchanges } = this.#conversation;
    const first = exchanges[0]?.questionId;
    try {
      const { turns, hasEarlier } = await this.#visit.conversation(id, first);
      if (this.#conversation.exchanges[0]?.questionId !== first) return;
      this.#conversation.prepend(turns, hasEarlier);
      this.jump.keepPlace(() => this.thread.show(this.conversation.exchanges));
    } catch (error) {
      this.hintAt(/** @type {Error} */ (error));
    }
    this.#earlier.offer(this.#conversation.hasEarlier);
  }

  /** What somebody waits for did not work. @param {Error} error */
  hintAt(error) {
    if (!(error instanceof StreamError)) throw error;
    this.status.hint(error.message);
  }

  /** Reads on where an answer is being written. */
  #follow() {
    const { running } = this.#conversation;
    if (running && !this.run) this.begin(running);
  }

  /** A message that was on its way when its frame went may have arrived. */
  async #lookForUnsent() {
    const key = this.#outbox.unsentKey;
    const found = key && (await conversationOfSend(this.world, key));
    if (!found || this.run || this.#outbox.unsentKey !== key) return;
    this.#outbox.arrived();
    this.composer.text = this.#outbox.draft;
    await this.goTo(found);
  }

  /** Nobody asked for it: what did not work is tried again with the next look. @param {Error} error */
  #passed(error) {
    if (!(error instanceof StreamError)) throw error;
    return null;
  }

  get id() {
    return this.#conversation.id;
  }

  get #conversation() {
    return /** @type {StoredConversation} */ (this.conversation);
  }
}
