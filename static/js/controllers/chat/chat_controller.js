/**
 * A chat page: the conversation, the composer, and at most one running answer. Its store decides where the conversation
 * is kept. Features of one kind of chat use `subscribe`, and are added in member_chat.js, temporary_chat.js and
 * widget/visitor_chat.js.
 */

import { t } from "../../lib/i18n.js";
import { joinMessages } from "../../lib/text_files.js";
import { Announcer } from "../../models/announcer.js";
import { Composer } from "../composer/composer.js";
import { MessageQueue } from "../composer/message_queue.js";
import { QuestionRewriting } from "../editing/question_rewriting.js";
import { prepareToWrite } from "../transcript/answer_markdown.js";
import { JumpButton } from "../transcript/jump_button.js";
import { Transcript } from "../transcript/transcript.js";
import { AnswerRetries } from "./answer_retries.js";
import { AnswerRunner } from "./answer_runner.js";

/** @typedef {import("./chat_store.js").Exchange} Exchange */
/** @typedef {import("../../api/responses.js").MessageIds} MessageIds */

/**
 * @typedef {object} ChatParts
 * @property {HTMLElement} page
 * @property {HTMLElement} thread
 * @property {HTMLFormElement} composer
 * @property {HTMLElement} jump
 * @property {import("../../browser/browser_env.js").BrowserEnv} env
 * @property {import("../ui/status.js").Status} status
 * @property {import("../composer/model_picker.js").ModelChoice} models
 * @property {import("../composer/context_gauge.js").ContextGauge} [gauge]
 * @property {AbortSignal} [signal] ends the chat, because the page shows another one: an answer continues on the server
 */

/**
 * Callbacks for what happens in a chat.
 * @typedef {object} ChatListener
 * @property {() => void} [shown] the page shows the conversation, or another part of it
 * @property {() => void} [sending] the user sends a question
 * @property {(exchange: Exchange, event: {place: MessageIds, isContinuation: boolean}) => void} [accepted] the server has stored the question
 * @property {(exchange: Exchange) => void} [changed] the answer has changed
 * @property {(exchange: Exchange) => void} [ended] the answer has ended
 * @property {() => void} [replaced] the page shows another conversation
 */

export class ChatController {
  status;
  models;
  composer;
  transcript;
  jump;
  retries;
  rewriting;
  answers;
  /** Says why no question can follow, besides the reasons of every chat; "" if it can. */
  obstacle = () => "";
  #queue;
  #page;
  #store;
  #gauge;
  /** @type {ChatListener[]} */
  #listeners = [];
  /** Why this chat is closed; "" if it is open. */
  #closed = document.getElementById("closed")?.textContent ?? "";

  /**
   * @param {ChatParts} parts
   * @param {import("./chat_store.js").ChatStore} store
   * @param {import("../transcript/transcript.js").OptionalActions} actions additional actions on a turn
   */
  constructor({ page, thread, composer, jump, env, status, models, gauge, signal }, store, actions) {
    this.#page = page;
    this.#store = store;
    this.#gauge = gauge;
    this.status = status;
    this.models = models;
    const turnActions = {
      ...actions,
      choose: (/** @type {Exchange} */ exchange, /** @type {string} */ choice) => this.retries.choose(exchange, choice),
      rewrite: (/** @type {Exchange} */ exchange) => this.rewriting.open(exchange),
    };
    this.transcript = new Transcript(thread, status, models, turnActions, signal);
    const sendsOnEnter = page.dataset.enterKey !== "newline";
    this.composer = new Composer(composer, this.#composerHandlers(), sendsOnEnter);
    this.#queue = new MessageQueue(document.getElementById("queued"), {
      edit: (text) => this.#backToComposer(text),
      changed: () => this.#saveDraft(),
    });
    this.jump = new JumpButton(jump, page, () => this.composer.focus(), signal);
    this.retries = new AnswerRetries(this, store);
    const { transcript } = this;
    const { edits } = store;
    this.rewriting = new QuestionRewriting({ transcript, status, sendsOnEnter, edits }, (exchange, text) =>
      this.retries.revise(exchange, text),
    );
    const announcer = new Announcer((words) => status.say(words), page.dataset.announcements);
    this.answers = new AnswerRunner({ env, status, composer: this.composer, announcer }, this.#runListener());
    signal?.addEventListener("abort", () => this.answers.leave());
  }

  /** @param {ChatListener} listener */
  subscribe(listener) {
    this.#listeners.push(listener);
  }

  get id() {
    return this.#store.id;
  }

  get exchanges() {
    return this.#store.conversation.exchanges;
  }

  /** The text of the last answer so far. */
  get lastText() {
    return this.exchanges.findLast(({ answer }) => answer.text)?.answer.text ?? "";
  }

  /** Show the conversation when the page opens. @param {string} draft */
  open(draft) {
    const { text } = this.composer; // typed before the scripts ran, or shared by another program
    this.composer.text = text && text !== draft ? joinMessages(draft, text) : draft;
    this.transcript.open(this.exchanges);
    this.updateEmptyState();
    if (this.#store.conversation.last) this.jump.toEnd();
    this.composer.focus();
  }

  /** Render the conversation after a change. */
  render() {
    this.transcript.show(this.exchanges);
    this.updateEmptyState();
  }

  /** Render another conversation. */
  replace() {
    this.transcript.clear();
    this.render();
    this.#tell((listener) => listener.replaced?.());
  }

  /** @param {string} text */
  send(text) {
    const obstacle = this.#obstacle() || this.obstacle();
    if (obstacle) {
      this.composer.text = text; // before the hint, because setting the text clears hints
      this.status.hint(obstacle);
      return;
    }
    this.#ask(text);
    this.composer.focus();
    this.showLast();
  }

  /** Bring the last question into view, with room for its answer. */
  showLast() {
    const { last } = this.#store.conversation;
    const root = last && this.transcript.rootOf(last);
    if (root) this.jump.toQuestion(root);
  }

  /** @param {string} text */
  #ask(text) {
    this.#tell((listener) => listener.sending?.());
    const exchange = this.#store.ask(text);
    this.transcript.add(exchange);
    this.begin(exchange);
  }

  /** Send the queued message after an answer; if that did not go well, the user decides. @param {Exchange} exchange */
  #sendQueued({ answer }) {
    if (!this.#queue.text || this.answers.isRunning) return;
    const isWell = answer.state === "complete" || answer.state === "awaiting_staff";
    const text = this.#queue.take();
    if (!isWell || this.#obstacle() || this.obstacle()) {
      this.#backToComposer(text);
      return;
    }
    const { isNearEnd } = this.jump;
    this.#ask(text);
    this.#saveDraft(); // what is being written stays
    if (isNearEnd) this.showLast();
  }

  /** @param {string} text of the queued message */
  #backToComposer(text) {
    if (!text) return;
    this.composer.text = joinMessages(text, this.composer.text);
    this.composer.focus();
  }

  #saveDraft() {
    this.#store.saveDraft(joinMessages(this.#queue.text, this.composer.text));
  }

  /** Follow a running answer, if there is one. */
  follow() {
    const { running } = this.#store;
    if (running && !this.answers.isRunning) this.begin(running);
  }

  /** Return whether sending must wait for something else; if so, say what. @param {Exchange} [exchange] to send */
  refuses(exchange) {
    const obstacle = this.#obstacle(exchange);
    if (obstacle) this.status.hint(obstacle);
    return obstacle !== "";
  }

  /** Return why nothing can be sent now; "" if it can. @param {Exchange} [exchange] to send */
  #obstacle(exchange) {
    if (this.#closed) return this.#closed;
    if (this.answers.isRunning) return busyHint();
    const { unsent } = this.#store;
    if (!unsent || unsent === exchange) return "";
    return t("Your previous message wasn't sent. Retry or edit it first.");
  }

  /** Request the answer of an exchange. @param {Exchange} exchange */
  begin(exchange) {
    this.answers.start(exchange, this.#store.requestFor(exchange));
  }

  /** @returns {import("../composer/composer.js").ComposerHandlers} */
  #composerHandlers() {
    return {
      send: (text) => {
        this.#gauge?.draft("");
        this.send(text);
      },
      stop: () => this.answers.stop(),
      write: (text) => {
        this.#saveDraft();
        this.#gauge?.draft(text);
        if (text) prepareToWrite();
        this.status.clearHint();
      },
      wait: (text) => {
        if (this.#queue.isOffered) {
          this.#queue.add(text);
          this.status.say(t("Queued. It will be sent after this answer."));
        } else this.status.hint(waitHint());
        return this.#queue.isOffered;
      },
    };
  }

  /** @returns {import("./answer_runner.js").RunListener} */
  #runListener() {
    return {
      started: () => this.updateEmptyState(),
      rested: () => {
        for (const hint of [waitHint(), busyHint()]) this.status.retract(hint);
      },
      left: () => this.#backToComposer(this.#queue.take()),
      accepted: (exchange, place) => {
        const isContinuation = exchange.body?.resume !== undefined;
        this.#store.accepted(exchange, place);
        this.transcript.changed(exchange);
        this.#tell((listener) => listener.accepted?.(exchange, { place, isContinuation }));
      },
      changed: (exchange) => {
        this.transcript.changed(exchange);
        this.#tell((listener) => listener.changed?.(exchange));
      },
      ended: (exchange) => {
        this.transcript.settle(exchange);
        this.retries.withdraw(exchange);
        this.#gauge?.conversation(this.exchanges);
        this.#store.ended(exchange);
        this.#tell((listener) => listener.ended?.(exchange));
        this.#sendQueued(exchange);
      },
    };
  }

  updateEmptyState() {
    this.#gauge?.conversation(this.exchanges);
    this.#page.toggleAttribute("data-empty", !this.#store.conversation.last);
    this.#tell((listener) => listener.shown?.());
  }

  /** @param {(listener: ChatListener) => void} call */
  #tell(call) {
    for (const listener of this.#listeners) call(listener);
  }
}

const waitHint = () => t("Wait for the answer to finish, or stop it.");
const busyHint = () => t("Another answer is in progress. Wait for it to finish, or stop it.");
