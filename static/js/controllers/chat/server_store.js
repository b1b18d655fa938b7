/** Store a member's or visitor's chat on the server; the outbox holds what has not arrived there yet. */

import { fetchMessage } from "../../api/conversations.js";
import { messagesUrl } from "../../api/urls.js";
import { UNCERTAIN } from "../../models/outcome.js";
import { revisedQuestionId } from "../../models/conversation.js";

/** @typedef {import("./chat_store.js").Exchange} Exchange */
/** @typedef {import("../../models/outbox.js").Outbox} Outbox */
/** @typedef {import("../../models/stored_conversation.js").StoredConversation} StoredConversation */

export class ServerStore {
  conversation;
  outbox;
  edits;
  #env;
  #models;
  #sendsModel;
  #besides;
  #extras;

  /**
   * @param {object} parts
   * @param {import("../../browser/browser_env.js").BrowserEnv} parts.env
   * @param {import("../composer/model_picker.js").ModelChoice} parts.models
   * @param {StoredConversation} parts.conversation
   * @param {Outbox} parts.outbox
   * @param {import("../../models/question_edits.js").QuestionEdits} [parts.edits] if questions can be edited
   * @param {boolean} [parts.sendsModel] false if the site's owner chooses the model
   * @param {() => object | null} [parts.besides] what a new question says besides its text: a website's context, or a comparison
   * @param {() => object} [parts.extras] what else a request for an answer says
   */
  constructor({ env, models, conversation, outbox, edits, sendsModel = true, besides = () => null, extras = () => ({}) }) {
    this.#env = env;
    this.#models = models;
    this.#sendsModel = sendsModel;
    this.#besides = besides;
    this.#extras = extras;
    this.conversation = conversation;
    this.outbox = outbox;
    this.edits = edits ?? null;
    this.#letChoose(conversation);
  }

  get id() {
    return this.conversation.id;
  }

  get unsent() {
    return this.conversation.unsent;
  }

  get running() {
    return this.conversation.running;
  }

  /**
   * Switch to another conversation, with its own outbox.
   * @param {StoredConversation} conversation
   * @param {Outbox} outbox
   */
  switchTo(conversation, outbox) {
    this.conversation = conversation;
    this.outbox = outbox;
    this.#letChoose(conversation);
  }

  /** @param {StoredConversation} conversation */
  #letChoose(conversation) {
    conversation.options = (model) => ({ ...this.#models.optionsFor(model), ...this.#extras() });
  }

  /** @param {string} text */
  saveDraft(text) {
    this.outbox.draft = text;
    if (!text && !this.unsent) this.outbox.forget();
  }

  /** @param {string} text */
  ask(text) {
    /** @type {import("../../types.js").StoredSend} */
    const body = { ...this.conversation.bodyOf(text, this.#models.chosen), ...this.#besides() };
    const exchange = this.conversation.add(text, body.is_blind ? "" : (body.model ?? ""));
    exchange.body = body;
    return exchange;
  }

  /** @param {Exchange} exchange */
  remove(exchange) {
    this.conversation.remove(exchange);
    this.outbox.forgetText(exchange.question);
  }

  /** The page closes: keep what is not stored. */
  leave() {
    this.outbox.leave(this.conversation.refused);
  }

  /** @param {Exchange} exchange */
  prepareToContinue(exchange) {
    this.conversation.proceed(exchange);
  }

  /**
   * Return where to get the answer from. The request is kept until the server has stored the question.
   * @param {Exchange} exchange
   * @returns {import("./chat_store.js").AnswerSource}
   */
  requestFor(exchange) {
    if (exchange.body && !this.#sendsModel) delete exchange.body.model;
    if (exchange.body?.text !== undefined) exchange.body = this.#keep(exchange, exchange.body);
    const { body, answer } = exchange;
    if (body) answer.effort = body.reasoning_effort ?? answer.effort;
    return {
      send: body ? { url: messagesUrl(this.id), body } : null,
      stored: () => fetchMessage(this.#env, this.id, answer.messageId),
    };
  }

  /** @param {Exchange} exchange @param {import("../../api/responses.js").MessageIds} place */
  accepted(exchange, place) {
    const edited = revisedQuestionId(exchange);
    if (edited) this.edits?.forget(edited);
    else this.outbox.forget();
    this.conversation.accepted(exchange, place);
    this.outbox.move(this.id);
  }

  /** After a refusal, forget the request: repeating it unchanged would not help. @param {Exchange} exchange */
  ended(exchange) {
    const { problem } = exchange.answer;
    if (exchange.body && problem && !UNCERTAIN.has(problem.code)) delete exchange.body;
  }

  /**
   * @param {Exchange} exchange
   * @param {import("../../types.js").StoredSend} body
   * @returns its body, or the earlier one that it repeats
   */
  #keep(exchange, body) {
    const edited = revisedQuestionId(exchange);
    return edited && this.edits ? this.edits.keep(edited, body) : this.outbox.keep(body);
  }
}
