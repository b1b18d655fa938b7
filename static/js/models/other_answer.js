/** The answer that the page's own answer to a question is compared with: asked for, followed, or loaded. */

import { fetchMessage } from "../api/conversations.js";
import { messagesUrl } from "../api/urls.js";
import { newIdempotencyKey } from "../lib/idempotency_key.js";
import { Answer } from "./answer.js";
import { AnswerRequest } from "./answer_request.js";
import { applyStoredMessage } from "./stored_conversation.js";

/**
 * @typedef {object} OtherListener
 * @property {() => void} started
 * @property {() => void} accepted the server has stored it
 * @property {() => void} changed
 * @property {() => void} ended
 * @property {() => void} stopFailed
 */

export class OtherAnswer {
  answer;
  #env;
  #conversationId;
  #listener;
  /** @type {AnswerRequest | null} */
  #run = null;

  /**
   * @param {import("../browser/browser_env.js").BrowserEnv} env
   * @param {string} conversationId
   * @param {string} model
   * @param {OtherListener} listener
   */
  constructor(env, conversationId, model, listener) {
    this.answer = new Answer(model);
    this.#env = env;
    this.#conversationId = conversationId;
    this.#listener = listener;
  }

  get isRunning() {
    return this.#run !== null;
  }

  /** Ask for it. @param {number} beside the answer that it is compared with @param {string} [model] unless their pair has it */
  ask(beside, model) {
    return this.#start({ key: newIdempotencyKey(), beside, ...(model ? { model } : {}) });
  }

  /** Ask for the rest of it. */
  proceed() {
    const { messageId } = this.answer;
    this.answer.proceed();
    return this.#start({ key: newIdempotencyKey(), resume: messageId });
  }

  /** Load it, and follow it to its end. @param {number} messageId */
  async load(messageId) {
    const turn = await fetchMessage(this.#env, this.#conversationId, messageId);
    const { model } = this.answer;
    applyStoredMessage(this.answer, turn);
    this.answer.model ||= model;
    this.#listener.changed();
    if (this.answer.isOver) this.#listener.ended();
    else await this.#start(null);
  }

  stop() {
    this.#run?.stop();
  }

  leave() {
    this.#run?.leave();
    this.#run = null;
  }

  /** @param {import("../types.js").StoredSend | null} body */
  async #start(body) {
    const { answer } = this;
    const listener = { taken: this.#listener.accepted, changed: this.#listener.changed, stopFailed: this.#listener.stopFailed };
    const stored = () => fetchMessage(this.#env, this.#conversationId, answer.messageId);
    const run = new AnswerRequest(this.#env, answer, listener, stored);
    this.#run = run;
    this.#listener.started();
    await run.run(body && { url: messagesUrl(this.#conversationId), body });
    if (this.#run !== run) return; // it was left
    this.#run = null;
    this.#listener.ended();
  }
}
