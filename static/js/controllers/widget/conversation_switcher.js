/** Switch between a visitor's conversations in the frame, and load updates. */

import { ApiError } from "../../api/errors.js";
import { onReturn } from "../../browser/wake_events.js";
import { Outbox } from "../../models/outbox.js";
import { StoredConversation } from "../../models/stored_conversation.js";
import { findStoredSend } from "../chat/unsent_recovery.js";

const PLACE = "conversation";
const RECENT_MS = 24 * 60 * 60 * 1000; // older ones without news are in the list, and the page starts with a new chat

/**
 * @typedef {object} SwitcherParts
 * @property {import("../chat/chat_controller.js").ChatController} chat
 * @property {import("../chat/server_store.js").ServerStore} store
 * @property {import("../chat/earlier_turns.js").EarlierTurns} earlier
 * @property {import("../../api/widget_session.js").WidgetSession} visit
 * @property {import("../../browser/safe_storage.js").SafeStorage} tabStorage
 */

export class ConversationSwitcher {
  #chat;
  #store;
  #earlier;
  #visit;
  #tabStorage;
  #requests = 0; // only the latest request counts

  /** @param {SwitcherParts} parts */
  constructor({ chat, store, earlier, visit, tabStorage }) {
    this.#chat = chat;
    this.#store = store;
    this.#earlier = earlier;
    this.#visit = visit;
    this.#tabStorage = tabStorage;
    chat.subscribe({
      sending: () => this.#requests++, // cancels a conversation that is still loading
      accepted: () => tabStorage.write(PLACE, store.id),
    });
    onReturn(() => this.refresh());
  }

  /**
   * Show the conversation that this tab showed last, or the latest one.
   * @returns {Promise<boolean>} whether a tab that has shown none yet shows one that got something unseen
   */
  async resume() {
    const place = this.#tabStorage.read(PLACE);
    const { id, is_unread } = place === null ? await this.#recent() : { id: place, is_unread: false };
    if (this.#chat.answers.isRunning || this.#store.conversation.last) return false; // the user has started something else
    try {
      if (id) await this.goTo(id, true);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 404) throw error;
      this.#tabStorage.write(PLACE, "");
    }
    const { composer } = this.#chat;
    if (!composer.text) composer.text = this.#store.outbox.restore([]);
    await this.#showWhatArrived();
    return is_unread;
  }

  async #recent() {
    const [newest] = await this.#visit.conversations();
    const isRecent = newest && (newest.is_unread || Date.now() - Date.parse(newest.updated_at) < RECENT_MS);
    return isRecent ? newest : { id: "", is_unread: false };
  }

  /**
   * Show a conversation, or an empty page for a new one.
   * @param {string} id
   * @param {boolean} [takesTextAlong] whether the text in the composer moves to it
   */
  async goTo(id, takesTextAlong = false) {
    const request = ++this.#requests;
    const { turns, hasEarlier } = id ? await this.#visit.conversation(id) : { turns: [], hasEarlier: false };
    if (request !== this.#requests) return;
    const { answers, composer, jump } = this.#chat;
    answers.leave();
    const { text } = composer;
    if (takesTextAlong) this.#store.outbox.draft = "";
    this.#tabStorage.write(PLACE, id);
    this.#store.switchTo(StoredConversation.of(id, turns, hasEarlier), new Outbox(this.#tabStorage, id));
    this.#chat.replace();
    this.#earlier.offer();
    composer.text = (takesTextAlong && text) || this.#store.outbox.restore(turns);
    if (id) jump.toEnd();
    else jump.release();
    this.#chat.follow();
  }

  /** The visitor may have changed: remove what is not theirs. */
  async recheck() {
    const { id } = this.#store;
    if (id && !(await this.#visit.conversation(id).catch(() => null))) await this.startOver();
    if (!id) await this.resume(); // their conversations may be known only now
  }

  /** Remove everything of the previous visitor. */
  async startOver() {
    this.#tabStorage.clear();
    this.#chat.composer.text = "";
    await this.goTo("");
  }

  /** Check whether the same visitor has continued in another tab. */
  async refresh() {
    const { id } = this.#store;
    if (!id || this.#chat.answers.isRunning) return;
    const request = ++this.#requests;
    const page = await this.#visit.conversation(id).catch((error) => this.#passed(error));
    if (!page || this.#chat.answers.isRunning || request !== this.#requests) return;
    const { conversation } = this.#store;
    const isAtEnd = isAtLastMessage();
    const before = conversation.exchanges.length;
    conversation.reconcile(page.turns, page.hasEarlier);
    this.#chat.render();
    if (isAtEnd && conversation.exchanges.length > before) this.#chat.jump.toEnd(); // a person wrote
    this.#chat.follow();
  }

  /** A message whose frame was closed while it was being sent may have arrived. */
  async #showWhatArrived() {
    const id = await findStoredSend(this.#chat, this.#store, this.#visit.env);
    if (id) await this.goTo(id);
  }

  /** Ignore the error of a request that the user did not make; the next poll retries. @param {Error} error */
  #passed(error) {
    if (!(error instanceof ApiError)) throw error;
    return null;
  }
}

/** Whether less than half a window of the page is below it: whoever reads there is at the end of the chat. */
function isAtLastMessage() {
  const { scrollHeight, scrollTop, clientHeight } = document.documentElement;
  return scrollHeight - scrollTop - clientHeight < clientHeight / 2;
}
