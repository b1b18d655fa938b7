/**
 * A chat that the server keeps. The page shows one branch of what is stored there: it follows an answer that
 * is being written in it, whoever asked for it, and looks for news of it when somebody comes back to the tab.
 * What happens on other branches only lets the numbers of versions grow.
 */

import { wasReloaded } from "../browser/navigation.js";
import { onReturn } from "../browser/wake_events.js";
import { QuestionEdits } from "../models/question_edits.js";
import { revisedQuestionId } from "../models/conversation.js";
import { Outbox } from "../models/outbox.js";
import { StoredConversation } from "../models/stored_conversation.js";
import { conversationUrl } from "../api/urls.js";
import { ApiError } from "../api/errors.js";
import { markRead } from "../api/mark_read.js";
import { fetchConversation } from "../api/conversations.js";
import { KeptChat } from "./kept_chat.js";
import { ShownBranch } from "./shown_branch.js";
import { turnsIn } from "./turns.js";
import { inWords } from "./versions.js";

/** @typedef {import("../models/conversation.js").Exchange} Exchange */
/** @typedef {import("../api/responses.js").MessageIds} Place */

export class StoredChat extends KeptChat {
  #edits;
  #turns;
  #sidebar;
  #branch;
  #missedALook = false;

  /** @param {Record<string, any>} parts */
  constructor(parts) {
    const turns = turnsIn(parts.thread);
    const link = parts.thread.querySelector("#earlier"); // for people without scripts
    const hasEarlier = link !== null;
    link?.remove();
    const { conversation = "", persona } = parts.page.dataset;
    const stored = StoredConversation.of(conversation, turns, hasEarlier, persona);
    super(parts, stored, new Outbox(parts.shelf, stored.id, parts.device));
    this.#turns = turns;
    this.#branch = new ShownBranch(parts.env, this.kept);
    this.#edits = new QuestionEdits(parts.shelf);
    this.#sidebar = parts.sidebar;
    onReturn(() => this.look());
    addEventListener("pagehide", () => this.outbox.leave());
  }

  open() {
    super.open(this.outbox.restore(this.#turns));
    this.earlier.offer(this.kept.hasEarlier);
    this.models.choose(this.conversation.last?.answer.model ?? "");
    this.#reopenEdits(this.#edits.unfinishedAmong(this.#turns));
    this.follow();
    this.#lookForUnsent();
  }

  /** A message that was on its way when its page went may have arrived. */
  async #lookForUnsent() {
    const id = await this.arrivedAt();
    if (id && !this.id && wasReloaded()) location.replace(conversationUrl(id));
  }

  /** @param {Exchange} exchange @param {Place} place */
  taken(exchange, place) {
    const isFirst = !this.id;
    const isMore = exchange.body?.resume !== undefined;
    const edited = revisedQuestionId(exchange);
    this.#missedALook ||= this.kept.has(place.questionId, exchange);
    if (edited) this.#edits.forget(edited);
    else this.outbox.forget();
    this.kept.accepted(exchange, place);
    if (isFirst) this.outbox.move(this.id);
    if (!isMore) this.#branch.showAddress(); // this is the branch that was used last
    this.thread.changed(exchange);
    this.#sidebar.refresh(); // it is the newest now
  }

  /** @param {Exchange} exchange */
  ended(exchange) {
    const { problem } = exchange.answer;
    if (this.id && !document.hidden) markRead(this.env, this.id);
    super.ended(exchange);
    if (this.#missedALook || problem?.code === "conflict") this.look();
    else this.follow();
  }

  /** @param {Exchange} exchange @param {string | null} text */
  rewritten({ questionId = 0 }, text) {
    if (text === null) this.#edits.forget(questionId);
    else this.#edits.write(questionId, text);
  }

  /** @param {Exchange} exchange */
  keep(exchange) {
    const edited = revisedQuestionId(exchange);
    return edited && exchange.body ? this.#edits.keep(edited, exchange.body) : super.keep(exchange);
  }

  /** Has the branch that is shown gone on elsewhere? */
  async look() {
    this.#missedALook = Boolean(this.run) || this.#branch.isAsking;
    if (this.#missedALook || !this.id) return;
    const page = await this.#ask(this.kept.lastId);
    if (page && !this.run) {
      this.#show(page);
      if (!page.is_newest && !this.#branch.isNamed) this.#branch.showAddress(this.kept.lastId);
    }
    this.#lookAgain();
  }

  /** Something may have happened while the page was looking. */
  #lookAgain() {
    if (this.#missedALook && !this.run) this.look();
  }

  /** @param {number} id a message of another branch */
  async version(id) {
    const button = /** @type {HTMLElement | null} */ (document.activeElement)?.dataset.part;
    const find = () => this.thread.versionsOf(id) ?? pressed;
    const pressed = document.activeElement?.closest(".versions") ?? null;
    if (!(await this.showBranch(id, (show) => this.jump.keepInView(find, show)))) return;
    const group = this.thread.versionsOf(id);
    /** @type {HTMLElement | null | undefined} */ (group?.querySelector(`[data-part="${button}"]`))?.focus();
    this.status.say(inWords(this.kept.versionsOf(id), id));
  }

  /**
   * Shows the branch through a message, and says so in the address; without one, that which was used last.
   * An answer that is being written goes on without this page.
   * @param {number} id
   * @param {(show: () => void) => void} [place] shows it
   * @returns {Promise<boolean>} whether it is shown
   */
  async showBranch(id, place = (show) => show()) {
    if (!this.canLeave()) return false;
    const page = await this.#ask(id, true);
    if (!page || !this.canLeave()) return false;
    this.run?.leave();
    if (this.run) this.idle();
    place(() => this.#show(page));
    this.#branch.showAddress(id && page.turns.some((turn) => turn.id === id) ? id : 0);
    this.#lookAgain();
    return true;
  }

  /** Whether nothing here would get lost; says so where it would. */
  canLeave() {
    return this.run && this.kept.running ? true : !this.refuses();
  }

  /** @param {Exchange} exchange */
  async branch({ answer, questionId = 0 }) {
    const tools = await this.tools();
    tools?.branchOff(this, answer.messageId || questionId);
  }

  /** @param {Exchange} exchange */
  async remove(exchange) {
    const tools = this.canLeave() && (await this.tools());
    if (tools) tools.deleteTurn(this, exchange);
  }

  /**
   * @param {number} at a message of the branch
   * @param {boolean} [isAsked] somebody waits for it
   */
  async #ask(at, isAsked = false) {
    try {
      return await this.#branch.ask(at);
    } catch (error) {
      this.#couldNotLook(/** @type {Error} */ (error), isAsked);
      return null;
    }
  }

  /** @param {number} before */
  async turnsBefore(before) {
    const { turns, has_earlier } = await fetchConversation(this.env, this.id, { before });
    return { turns, hasEarlier: has_earlier };
  }

  /** @param {import("./shown_branch.js").Page} page */
  #show({ turns, has_earlier }) {
    const news = this.kept.reconcile(turns, has_earlier);
    this.earlier.offer(this.kept.hasEarlier);
    this.thread.show(this.conversation.exchanges);
    this.showWhetherEmpty();
    if (news.length) this.#sidebar.refresh();
    const renewed = new Set(news.map(({ questionId }) => questionId));
    this.#reopenEdits(this.#edits.unfinishedAmong(turns).filter((id) => renewed.has(id)));
    this.follow();
  }

  /** What somebody was writing in place of these questions. @param {number[]} ids */
  #reopenEdits(ids) {
    for (const exchange of this.conversation.exchanges) {
      const { questionId = 0, question } = exchange;
      if (!ids.includes(questionId)) continue;
      this.rewrite(exchange, this.#edits.read(questionId) ?? question, { isAsked: false });
    }
  }

  /** @param {Error} error @param {boolean} [isAsked] somebody waits for it */
  #couldNotLook(error, isAsked = false) {
    if (!(error instanceof ApiError)) throw error;
    const isFinal = error.code === "deleted" || error.code === "signed_out";
    if (isFinal || isAsked) this.status.hint(error.message);
  }
}
