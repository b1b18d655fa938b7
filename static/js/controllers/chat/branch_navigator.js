/**
 * Choose the branch of a member's conversation that the page shows. It checks for updates when the user returns to the
 * tab; changes on other branches only update the version counts.
 */

import { ApiError } from "../../api/errors.js";
import { onReturn } from "../../browser/wake_events.js";
import { describeVersion } from "../transcript/version_switcher.js";
import { ShownBranch } from "./shown_branch.js";

export class BranchNavigator {
  #chat;
  #store;
  #branch;
  #earlier;
  #onNews;
  #missedRefresh = false;

  /**
   * @param {object} parts
   * @param {import("./chat_controller.js").ChatController} parts.chat
   * @param {import("./server_store.js").ServerStore} parts.store
   * @param {import("../../browser/browser_env.js").BrowserEnv} parts.env
   * @param {import("./earlier_turns.js").EarlierTurns} parts.earlier
   * @param {() => void} parts.onNews called when another tab or user has added messages
   * @param {AbortSignal} parts.signal ends it
   */
  constructor({ chat, store, env, earlier, onNews, signal }) {
    this.#chat = chat;
    this.#store = store;
    this.#branch = new ShownBranch(env, store.conversation, signal);
    this.#earlier = earlier;
    this.#onNews = onNews;
    chat.subscribe({
      accepted: (exchange, { place, isContinuation }) => {
        this.#missedRefresh ||= store.conversation.has(place.questionId, exchange);
        if (!isContinuation) this.#branch.showAddress(); // this is the latest branch
      },
      ended: ({ answer }) => {
        if (this.#missedRefresh || answer.problem?.code === "conflict") this.refresh();
        else chat.follow();
      },
    });
    onReturn(() => this.refresh(), signal);
  }

  /** Check whether the shown branch was continued in another tab or on another device. */
  async refresh() {
    this.#missedRefresh = this.#chat.answers.isRunning || this.#branch.isAsking;
    if (this.#missedRefresh || !this.#store.id) return;
    const page = await this.#ask(this.#store.conversation.lastId);
    if (page && !this.#chat.answers.isRunning) {
      this.#render(page);
      if (!page.is_newest && !this.#branch.isNamed) this.#branch.showAddress(this.#store.conversation.lastId);
    }
    this.#refreshAgain();
  }

  /** Check again: something may have changed during the last check. */
  #refreshAgain() {
    if (this.#missedRefresh && !this.#chat.answers.isRunning) this.refresh();
  }

  /** Show another version of a message, at the same place in the window. @param {number} id */
  async showVersion(id) {
    const { transcript, jump, status } = this.#chat;
    const focused = document.activeElement;
    const button = focused instanceof HTMLElement ? focused.dataset.part : undefined;
    const pressed = focused?.closest(".versions") ?? null;
    const find = () => transcript.versionsOf(id) ?? pressed;
    if (!(await this.show(id, (show) => jump.keepInView(find, show)))) return;
    const group = transcript.versionsOf(id);
    /** @type {HTMLElement | null | undefined} */ (group?.querySelector(`[data-part="${button}"]`))?.focus();
    status.say(describeVersion(this.#store.conversation.versionsOf(id), id));
  }

  /**
   * Show the branch through a message and put it into the URL; without a message, show the branch used last. A running
   * answer continues without this page.
   * @param {number} id
   * @param {(show: () => void) => void} [place] calls `show`, and may keep the scroll position
   * @returns {Promise<boolean>} whether it is shown
   */
  async show(id, place = (show) => show()) {
    if (!this.canLeave()) return false;
    const page = await this.#ask(id, true);
    if (!page || !this.canLeave()) return false;
    this.#chat.answers.leave();
    place(() => this.#render(page));
    this.#branch.showAddress(id && page.turns.some((turn) => turn.id === id) ? id : 0);
    this.#refreshAgain();
    return true;
  }

  /** Return whether the page can switch without losing text; if not, say why. */
  canLeave() {
    return this.#chat.answers.isRunning && this.#store.running ? true : !this.#chat.refuses();
  }

  /**
   * @param {number} at a message on the branch
   * @param {boolean} [isAsked] whether the user is waiting for it
   */
  async #ask(at, isAsked = false) {
    try {
      return await this.#branch.ask(at);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const isFinal = error.code === "deleted" || error.code === "not_authenticated";
      if (isFinal || isAsked) this.#chat.status.hint(error.message);
      return null;
    }
  }

  /** @param {import("./shown_branch.js").Page} page */
  #render({ turns, has_earlier }) {
    const { conversation, edits } = this.#store;
    const news = conversation.reconcile(turns, has_earlier);
    this.#earlier.offer();
    this.#chat.render();
    if (news.length) this.#onNews();
    const renewed = new Set(news.map(({ questionId }) => questionId));
    const edited = edits?.findUnfinished(turns).filter((id) => renewed.has(id)) ?? [];
    this.#chat.rewriting.reopen(conversation.exchanges, edited);
    this.#chat.follow();
  }
}
