/**
 * A chat that the server keeps. The page shows one branch of what is stored there: it follows an answer that
 * is being written in it, whoever asked for it, and looks for news of it when somebody comes back to the tab.
 * What happens on other branches only lets the numbers of versions grow.
 */

import { wasReloaded } from "../lib/navigation.js";
import { onReturn } from "../lib/wake.js";
import { t } from "../lib/words.js";
import { Edits } from "../models/edits.js";
import { revisedBy } from "../models/exchanges.js";
import { Outbox } from "../models/outbox.js";
import { StoredConversation } from "../models/stored_conversation.js";
import { messagesOf, pageOf } from "../stream/addresses.js";
import { StreamError } from "../stream/errors.js";
import { sendRating } from "../stream/rating.js";
import { tellRead } from "../stream/reading.js";
import { conversationOfSend, storedConversation, storedMessage } from "../stream/stored.js";
import { Chat } from "./chat.js";
import { EarlierButton } from "./earlier_button.js";
import { ShownBranch } from "./shown_branch.js";
import { turnsIn } from "./turns.js";
import { inWords } from "./versions.js";

/** @typedef {import("../models/exchanges.js").Exchange} Exchange */
/** @typedef {import("../stream/responses.js").Place} Place */

/** After these nobody knows whether the server has the send: it can only be repeated as it was. */
const UNKNOWN = new Set(["network", "not_understood", "leaving", "busy"]);

export class StoredChat extends Chat {
  #outbox;
  #edits;
  #turns;
  #sidebar;
  #earlier;
  #branch;
  #missedALook = false;

  /** @param {Record<string, any>} parts */
  constructor(parts) {
    const turns = turnsIn(parts.thread);
    const link = parts.thread.querySelector("#earlier"); // for people without scripts
    const hasEarlier = link !== null;
    link?.remove();
    const { conversation = "", persona } = parts.page.dataset;
    super(parts, StoredConversation.of(conversation, turns, hasEarlier, persona));
    this.#earlier = new EarlierButton(parts.earlier, () => this.#showEarlier());
    this.#turns = turns;
    this.#branch = new ShownBranch(parts.world, this.#conversation);
    this.#edits = new Edits(parts.shelf);
    this.#outbox = new Outbox(parts.shelf, this.#conversation.id, parts.device);
    this.#sidebar = parts.sidebar;
    onReturn(() => this.look());
    addEventListener("pagehide", () => this.#outbox.leave());
  }

  open() {
    super.open(this.#outbox.restore(this.#turns));
    this.#earlier.offer(this.#conversation.hasEarlier);
    this.models.choose(this.conversation.last?.answer.model ?? "");
    this.#reopenEdits(this.#edits.among(this.#turns));
    this.#follow();
    this.#lookForUnsent();
  }

  /** A message that was on its way when its page went may have arrived. */
  async #lookForUnsent() {
    const key = this.#outbox.unsentKey;
    const conversationId = key && (await conversationOfSend(this.world, key));
    if (!conversationId || this.run || this.#outbox.unsentKey !== key) return;
    this.#outbox.arrived();
    if (this.composer.text !== this.#outbox.draft) this.composer.text = this.#outbox.draft;
    if (!this.#conversation.id && wasReloaded()) location.replace(pageOf(conversationId));
  }

  /** @param {string} text */
  send(text) {
    if (this.run || this.#conversation.unsent) {
      this.composer.text = text; // first, for writing clears what is said
      this.refuses();
      return;
    }
    const body = this.#conversation.bodyOf(text, this.models.chosen);
    const exchange = this.conversation.add(text, body.model);
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

  /** @param {Exchange} exchange @param {Place} place */
  taken(exchange, place) {
    const isFirst = !this.#conversation.id;
    const isMore = exchange.body?.resume !== undefined;
    const edited = revisedBy(exchange);
    this.#missedALook ||= this.#conversation.has(place.questionId, exchange);
    if (edited) this.#edits.forget(edited);
    else this.#outbox.forget();
    this.#conversation.accepted(exchange, place);
    if (isFirst) this.#outbox.move(this.#conversation.id);
    if (!isMore) this.#branch.showAddress(); // this is the branch that was used last
    this.thread.changed(exchange);
    this.#sidebar.refresh(); // it is the newest now
  }

  /** @param {Exchange} exchange */
  ended(exchange) {
    const { problem } = exchange.answer;
    if (this.#conversation.id && !document.hidden) tellRead(this.world, this.#conversation.id);
    if (exchange.body && problem && !UNKNOWN.has(problem.code)) delete exchange.body;
    if (this.#missedALook || problem?.code === "conflict") this.look();
    else this.#follow();
  }

  /** @param {Exchange} exchange @param {import("../models/answer.js").Opinion} opinion */
  async rate({ answer }, opinion) {
    const error = await sendRating(this.world, this.#conversation.id, answer.messageId, opinion);
    const thanks = opinion.value ? t("Thank you. Your opinion is kept.") : t("Your opinion is taken back.");
    this.status.hint(error?.message ?? thanks);
    return !error;
  }

  /** @param {Exchange} exchange */
  proceed(exchange) {
    this.#conversation.proceed(exchange);
    this.begin(exchange);
  }

  /** @param {Exchange} exchange @param {string | null} text */
  rewritten({ questionId = 0 }, text) {
    if (text === null) this.#edits.forget(questionId);
    else this.#edits.write(questionId, text);
  }

  /** @param {Exchange} exchange */
  begin(exchange) {
    const { answer } = exchange;
    if (exchange.body?.text !== undefined) exchange.body = this.#kept(exchange);
    const send = exchange.body ? { url: messagesOf(this.#conversation.id), body: exchange.body } : null;
    this.start(exchange, send, () =>
      storedMessage(this.world, this.#conversation.id, answer.messageId),
    );
  }

  /** Reads on where an answer is being written. */
  #follow() {
    const { running } = this.#conversation;
    if (running && !this.run) this.begin(running);
  }

  /** @param {Exchange} exchange @returns {any} */
  #kept(exchange) {
    const edited = revisedBy(exchange);
    const body = /** @type {any} */ (exchange.body);
    return edited ? this.#edits.keep(edited, body) : this.#outbox.keep(body);
  }

  /** Has the branch that is shown gone on elsewhere? */
  async look() {
    this.#missedALook = Boolean(this.run) || this.#branch.isAsking;
    if (this.#missedALook || !this.#conversation.id) return;
    const page = await this.#ask(this.#conversation.lastId);
    if (page && !this.run) {
      this.#show(page);
      if (!page.is_newest && !this.#branch.isNamed) this.#branch.showAddress(this.#conversation.lastId);
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
    this.status.say(inWords(this.#conversation.versionsOf(id), id));
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
    return this.run && this.#conversation.running ? true : !this.refuses();
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

  async #showEarlier() {
    const { id, exchanges } = this.#conversation;
    const first = exchanges[0]?.questionId;
    try {
      const { turns, has_earlier } = await storedConversation(this.world, id, { before: first });
      if (this.#conversation.exchanges[0]?.questionId !== first) return; // another branch is shown by now
      this.#conversation.prepend(turns, has_earlier);
      this.jump.keepPlace(() => this.thread.show(this.conversation.exchanges));
    } catch (error) {
      this.#couldNotLook(/** @type {Error} */ (error), true);
    }
    this.#earlier.offer(this.#conversation.hasEarlier);
  }

  /** @param {import("./shown_branch.js").Page} page */
  #show({ turns, has_earlier }) {
    const news = this.#conversation.reconcile(turns, has_earlier);
    this.#earlier.offer(this.#conversation.hasEarlier);
    this.thread.show(this.conversation.exchanges);
    this.showWhetherEmpty();
    if (news.length) this.#sidebar.refresh();
    const renewed = new Set(news.map(({ questionId }) => questionId));
    this.#reopenEdits(this.#edits.among(turns).filter((id) => renewed.has(id)));
    this.#follow();
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
    if (!(error instanceof StreamError)) throw error;
    const isFinal = error.code === "deleted" || error.code === "signed_out";
    if (isFinal || isAsked) this.status.hint(error.message);
  }

  get id() {
    return this.#conversation.id;
  }

  get #conversation() {
    return /** @type {StoredConversation} */ (this.conversation);
  }
}
