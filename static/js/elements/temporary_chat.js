/**
 * A chat that only this tab keeps: it sends all of it with each question, and goes on after a reload. It has one
 * branch: a question written anew, or another answer, takes the place of what followed.
 */

import { t } from "../lib/i18n.js";
import { TemporaryChatStorage } from "../models/temporary_chat_storage.js";
import { TemporaryConversation } from "../models/temporary_conversation.js";
import { CHAT_STREAM_URL } from "../api/urls.js";
import { Chat } from "./chat.js";

/** @typedef {import("../models/conversation.js").Exchange} Exchange */

export class TemporaryChat extends Chat {
  #memory;
  #persona;

  /** @param {Record<string, any>} parts */
  constructor(parts) {
    const memory = new TemporaryChatStorage(parts.shelf);
    super(parts, memory.restore());
    this.#memory = memory;
    this.#persona = parts.persona;
    parts.startOver?.addEventListener("click", () => this.startOver());
    addEventListener("pagehide", () => this.#save());
  }

  /** Shows what the tab remembers, and reads an answer that was under way to its end. */
  open() {
    const { exchanges, forgotten, model } = this.#conversation;
    if (exchanges.length) this.#persona.show(this.#conversation.persona);
    else this.#conversation.persona = this.#persona.chosen;
    if (exchanges.length || !this.#persona.chosen) this.models.choose(model);
    super.open(this.#memory.draft);
    if (forgotten) this.thread.note(t("The beginning of this chat was too long for the tab to keep."));
    const running = exchanges.find(({ answer }) => !answer.isOver);
    if (running) this.begin(running);
  }

  /** @param {string} text */
  send(text) {
    if (this.run) return;
    const exchange = this.conversation.add(text, this.models.chosen);
    this.thread.add(exchange);
    this.begin(exchange);
    this.jump.toEnd();
    this.composer.focus();
  }

  startOver() {
    this.run?.abandon();
    this.idle();
    this.conversation = new TemporaryConversation();
    this.#conversation.persona = this.#persona.chosen;
    this.#persona.show(this.#persona.chosen);
    this.thread.clear();
    this.showWhetherEmpty();
    this.jump.release();
    this.#save();
    this.composer.focus();
  }

  /** @param {string} text */
  written(text) {
    this.#memory.draft = text;
  }

  /** @param {Exchange} exchange */
  taken({ question }) {
    this.#memory.accepted(question);
    this.#save();
  }

  changed() {
    this.#memory.saveSoon(this.#conversation);
  }

  ended() {
    this.#save();
  }

  /** @param {Exchange} exchange */
  edit(exchange) {
    super.edit(exchange);
    this.#save();
  }

  /** @param {Exchange} exchange */
  begin(exchange) {
    this.#save();
    const messages = this.#conversation.messagesFor(exchange);
    const { persona } = this.#conversation;
    const { model } = exchange.answer;
    const options = { ...this.models.optionsFor(model), ...exchange.changes };
    exchange.answer.effort = options.reasoning_effort ?? "";
    const body = { messages, model, ...(persona ? { persona: persona.id } : {}), ...options };
    this.start(exchange, { url: CHAT_STREAM_URL, body });
  }

  get #conversation() {
    return /** @type {TemporaryConversation} */ (this.conversation);
  }

  #save() {
    this.#conversation.model = this.models.chosen;
    this.#memory.save(this.#conversation);
  }
}
