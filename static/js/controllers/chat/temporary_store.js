/** Store a temporary chat in this tab: each question sends all previous messages, and a reload resumes from there. */

import { CHAT_STREAM_URL } from "../../api/urls.js";
import { TemporaryChatStorage } from "../../models/temporary_chat_storage.js";
import { TemporaryConversation } from "../../models/temporary_conversation.js";

/** @typedef {import("./chat_store.js").Exchange} Exchange */

export class TemporaryStore {
  conversation;
  id = "";
  /** @type {undefined} never blocks: a failed question is sent again with the next one */
  unsent = undefined;
  edits = null;
  #memory;
  #models;
  #extras;

  /**
   * @param {import("../../browser/safe_storage.js").SafeStorage} tabStorage
   * @param {import("../composer/model_picker.js").ModelPicker} models
   * @param {() => object} [extras] what else a request for an answer says
   */
  constructor(tabStorage, models, extras = () => ({})) {
    this.#memory = new TemporaryChatStorage(tabStorage);
    this.#models = models;
    this.#extras = extras;
    this.conversation = this.#memory.restore();
  }

  get hasLostImages() {
    return this.#memory.hasLostImages;
  }

  get draft() {
    return this.#memory.draft;
  }

  get running() {
    return this.conversation.exchanges.find(({ answer }) => !answer.isOver);
  }

  /** @param {string} text */
  saveDraft(text) {
    this.#memory.draft = text;
  }

  /** @param {string} text */
  ask(text) {
    return this.conversation.add(text, this.#models.chosen);
  }

  /** @param {Exchange} exchange */
  remove(exchange) {
    this.conversation.remove(exchange);
    this.save();
  }

  /** @param {Exchange} exchange @returns {import("./chat_store.js").AnswerSource} */
  requestFor(exchange) {
    this.save();
    const messages = this.conversation.messagesFor(exchange);
    const { persona } = this.conversation;
    const { model } = exchange.answer;
    const options = { ...this.#models.optionsFor(model), ...exchange.changes };
    exchange.answer.effort = options.reasoning_effort ?? "";
    const body = { messages, model, ...(persona ? { persona: persona.id } : {}), ...options, ...this.#extras() };
    return { send: { url: CHAT_STREAM_URL, body } };
  }

  /** @param {Exchange} exchange */
  accepted({ question }) {
    this.#memory.accepted(question);
    this.save();
  }

  ended() {
    this.save();
  }

  /**
   * Start a new conversation.
   * @param {import("../../models/temporary_conversation.js").TemporaryConversation["persona"]} persona of the new one
   */
  startOver(persona) {
    this.conversation = new TemporaryConversation();
    this.conversation.persona = persona;
  }

  save() {
    this.conversation.model = this.#models.chosen;
    this.#memory.save(this.conversation);
  }

  /** Save after a short delay, for an answer that is growing. */
  saveSoon() {
    this.#memory.saveSoon(this.conversation);
  }
}
