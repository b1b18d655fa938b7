/**
 * A chat on somebody's website. The server keeps it as it keeps a member's; a visitor has one branch of it, in a frame
 * that may go at any moment: what was written and not sent is there again when the website shows the frame anew.
 */

import { onReturn } from "../browser/wake_events.js";
import { Outbox } from "../models/outbox.js";
import { StoredConversation } from "../models/stored_conversation.js";
import { ApiError } from "../api/errors.js";
import { KeptChat } from "./kept_chat.js";

/** @typedef {import("../models/conversation.js").Exchange} Exchange */
/** @typedef {import("../api/responses.js").MessageIds} Place */

const PLACE = "conversation";
const RECENT_MS = 24 * 60 * 60 * 1000; // what was said longer ago is in the list, and a new chat begins

export class VisitorChat extends KeptChat {
  /** Another conversation is shown. */
  onShow = () => {};
  #visit;
  #tell;
  #looks = 0; // the last one counts

  /**
   * @param {Record<string, any>} parts of the page: see widget.js
   * @param {import("../api/widget_session.js").WidgetSession} visit
   * @param {(type: string, more: object) => void} tell the website
   */
  constructor(parts, visit, tell) {
    super({ ...parts, env: visit.env }, new StoredConversation(), new Outbox(parts.shelf, ""));
    this.#visit = visit;
    this.#tell = tell;
    onReturn(() => this.look());
  }

  /** The conversation that this tab was at, or the one that was said something in last. */
  async resume() {
    const id = this.shelf.read(PLACE) ?? (await this.#recent());
    if (this.run || this.conversation.last) return; // somebody was quicker
    try {
      if (id) await this.goTo(id, true);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 404) throw error;
      this.shelf.write(PLACE, "");
    }
    if (!this.composer.text) this.composer.text = this.outbox.restore([]);
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
    if (takesTextAlong) this.outbox.draft = "";
    this.shelf.write(PLACE, id);
    this.useOutbox(new Outbox(this.shelf, id));
    this.thread.clear();
    this.thread.show(this.conversation.exchanges);
    this.earlier.offer(hasEarlier);
    this.showWhetherEmpty();
    this.composer.text = (takesTextAlong && text) || this.outbox.restore(turns);
    if (id) this.jump.toEnd();
    else this.jump.release();
    this.follow();
    this.onShow();
  }

  /** Somebody may be somebody else now: what is not theirs goes. */
  async recheck() {
    const { id } = this;
    if (id && !(await this.#visit.conversation(id).catch(() => null))) await this.startOver();
    if (!id) await this.resume(); // what is theirs may be known only now
  }

  /** Nothing stays of who was here. */
  async startOver() {
    this.shelf.clear();
    this.composer.text = "";
    await this.goTo("");
  }

  /** The site's owner chooses the model. @param {string} text */
  bodyOf(text) {
    this.#looks++; // what is on its way to be shown is not wanted any more
    const { model: _none, ...body } = this.kept.bodyOf(text, "");
    return body;
  }

  /** @param {Exchange} exchange */
  begin(exchange) {
    if (exchange.body) delete exchange.body.model;
    super.begin(exchange);
  }

  /** @param {Exchange} exchange @param {Place} place */
  taken(exchange, place) {
    const isFirst = !this.id;
    this.outbox.forget();
    this.kept.accepted(exchange, place);
    if (isFirst) {
      this.outbox.move(this.id);
      this.shelf.write(PLACE, this.id);
    }
    this.thread.changed(exchange);
    this.#tell("message", { role: "user" });
  }

  /** @param {Exchange} exchange */
  ended(exchange) {
    const { problem, text } = exchange.answer;
    super.ended(exchange);
    if (problem) this.#tell("error", { code: problem.code });
    if (text) this.#tell("message", { role: "assistant" });
  }

  /** The same visitor may have gone on in another tab. */
  async look() {
    const { id } = this;
    if (!id || this.run) return;
    const look = ++this.#looks;
    const page = await this.#visit.conversation(id).catch((error) => this.#passed(error));
    if (!page || this.run || look !== this.#looks) return;
    this.kept.reconcile(page.turns, page.hasEarlier);
    this.thread.show(this.conversation.exchanges);
    this.showWhetherEmpty();
    this.follow();
  }

  /** @param {number} id */
  turnsBefore(id) {
    return this.#visit.conversation(this.id, id);
  }

  /** A message that was on its way when its frame went may have arrived. */
  async #lookForUnsent() {
    const id = await this.arrivedAt();
    if (id) await this.goTo(id);
  }

  /** Nobody asked for it: what did not work is tried again with the next look. @param {Error} error */
  #passed(error) {
    if (!(error instanceof ApiError)) throw error;
    return null;
  }
}
