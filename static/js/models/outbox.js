/**
 * Text that is not stored yet, per conversation: the draft in the composer, and the message being sent. A message
 * without a response becomes the draft again after a reload and keeps its key, so sending it unchanged does not
 * duplicate it.
 */

import { Drafts } from "./drafts.js";
import { isQuestionStored } from "./stored_conversation.js";

/** @typedef {import("../types.js").StoredSend} Body */

const NEW = "new";
const BETWEEN = "\n\n";

export class Outbox {
  #drafts;
  #sends;
  #place;

  /**
   * @param {import("../browser/safe_storage.js").SafeStorage} shelf the tab's storage
   * @param {string} conversationId
   * @param {import("../browser/safe_storage.js").SafeStorage} [device]
   */
  constructor(shelf, conversationId, device) {
    this.#drafts = new Drafts("draft", shelf, device);
    this.#sends = new Drafts("unsent", shelf, device);
    this.#place = conversationId || NEW;
  }

  set draft(/** @type {string} */ text) {
    this.#drafts.write(this.#place, text);
  }

  get draft() {
    return this.#drafts.read(this.#place);
  }

  /**
   * Return the text for the composer of a page that shows `turns`.
   * @param {import("../api/conversations.js").StoredMessage[]} turns
   */
  restore(turns) {
    if (this.#unsent || !this.draft) this.#sends.take(this.#place);
    const unsent = this.#unsent;
    const draft = this.#drafts.take(this.#place);
    if (unsent && isQuestionStored(unsent, turns)) this.arrived();
    else if (unsent?.text && !draft.startsWith(unsent.text)) this.draft = joined(unsent.text, draft);
    return this.draft;
  }

  /**
   * Keep the draft or the message being sent on the device, because the page is closing.
   * @param {string[]} refused messages that the server refused
   */
  leave(refused = []) {
    const { text = "" } = this.#unsent ?? {};
    const own = this.draft.startsWith(text) ? this.draft : joined(text, this.draft);
    this.#drafts.leave(this.#place, joined(...refused.filter((each) => each !== text), own));
    this.#sends.leave(this.#place, this.#sends.read(this.#place));
  }

  /** The key of a message that was being sent when its page was closed; "" if there is none. */
  get unsentKey() {
    return this.#unsent?.key ?? "";
  }

  /** Remove that message from the drafts, because the server has stored it. */
  arrived() {
    const { text = "" } = this.#unsent ?? {};
    this.forget();
    this.draft = without(this.draft, text);
  }

  /**
   * Keep a message that is about to be sent.
   * @param {Body} body
   * @returns {Body} the same, or the earlier one that it repeats
   */
  keep(body) {
    const earlier = this.#unsent;
    const isRepeated = earlier && contentOf(earlier) === contentOf(body);
    const kept = isRepeated ? earlier : body;
    this.#sends.write(this.#place, JSON.stringify(kept));
    this.draft = "";
    return kept;
  }

  /** Forget the message, because the server has it or the user discarded it. */
  forget() {
    this.#sends.write(this.#place, "");
  }

  /** Forget a message if it is the one that was to be sent. @param {string} text */
  forgetText(text) {
    if (this.#unsent?.text === text) this.forget();
  }

  /** Move the texts to the new conversation, once the server has stored it. @param {string} conversationId */
  move(conversationId) {
    if (this.#place === conversationId) return;
    const { draft } = this;
    this.draft = "";
    this.#place = conversationId;
    this.draft = draft;
  }

  /** @returns {Body | null} */
  get #unsent() {
    try {
      return JSON.parse(this.#sends.read(this.#place) || "null");
    } catch {
      return null;
    }
  }
}

/** Return what the user sends: the page may have changed since. @param {Body} body */
function contentOf(body) {
  return JSON.stringify({ ...body, key: "", context: undefined });
}

/** @param {string[]} texts */
function joined(...texts) {
  return texts.filter(Boolean).join(BETWEEN);
}

/** Return `draft` without `text` at its beginning. @param {string} draft @param {string} text */
function without(draft, text) {
  if (draft === text) return "";
  return draft.startsWith(text + BETWEEN) ? draft.slice(text.length + BETWEEN.length) : draft;
}
