/**
 * What every chat page does: one conversation, at most one answer under way, a composer that sends or stops. Where
 * it is kept is the business of the kinds: temporary_chat.js, and kept_chat.js (stored_chat.js, visitor_chat.js).
 */

import { onDemand } from "../browser/on_demand.js";
import { t } from "../lib/i18n.js";
import { Announcer } from "../models/announcer.js";
import { outcomeAnnouncement } from "../models/outcome.js";
import { AnswerRequest } from "../models/answer_request.js";
import { retryOptions } from "../models/thinking_retry.js";
import { Composer } from "./composer.js";
import { JumpButton } from "./jump_button.js";
import { Thread } from "./thread.js";
import { TurnMenu } from "./turn_menu.js";
import { prepareToWrite } from "./words.js";

const turnTools = onDemand("turns");

/** @typedef {import("../models/conversation.js").Exchange} Exchange */
/** @typedef {import("../api/responses.js").MessageIds} Place */

/** @abstract */
export class Chat {
  /** @type {AnswerRequest | null} */
  run = null;
  /** An answer has come to its end. */
  onEnd = () => {};
  /** @type {import("../models/conversation.js").Conversation} */
  conversation;

  /**
   * @param {Record<string, any>} parts of the page: see chat.js
   * @param {import("../models/conversation.js").Conversation} conversation
   */
  constructor({ page, status, toast, env, thread, composer, jump, models, gauge, turnMenu }, conversation) {
    this.page = page;
    this.status = status;
    this.toast = toast;
    this.announcer = new Announcer((words) => status.say(words), page.dataset.announcements);
    this.env = env;
    this.conversation = conversation;
    this.models = models;
    this.gauge = gauge;
    models.onChange(() => gauge.window(models.window));
    this.thread = new Thread(thread, status, this.models, {
      choose: (exchange, choice) => this.#choose(exchange, choice),
      rate: (exchange, opinion) => this.rate(exchange, opinion),
      report: (exchange) => this.report(exchange),
      rewrite: (exchange) => this.rewrite(exchange),
      regenerate: (exchange) => this.#regenerate(exchange, exchange.answer.model),
      more: (exchange) => menu?.for(exchange),
      version: (id) => this.version(id),
    });
    const menu = turnMenu && this.#menu(turnMenu);
    this.sendsOnEnter = page.dataset.enterKey !== "newline";
    const handlers = {
      send: (/** @type {string} */ text) => {
        gauge.draft("");
        this.send(text);
      },
      stop: () => this.stop(),
      write: (/** @type {string} */ text) => {
        this.written(text);
        gauge.draft(text);
        if (text) prepareToWrite();
        status.clearHint();
      },
      refuse: () => status.hint(t("An answer is being written. Your text stays here: stop it, or wait.")),
    };
    this.composer = new Composer(composer, handlers, this.sendsOnEnter);
    this.jump = new JumpButton(jump, page, () => this.composer.focus());
  }

  /** Shows what there is when the page opens. @param {string} draft */
  open(draft) {
    this.composer.text = this.composer.text || draft;
    this.thread.open(this.conversation.exchanges);
    this.showWhetherEmpty();
    if (this.conversation.last) this.jump.toEnd();
    this.composer.focus();
  }

  /** @abstract @param {string} _text */
  send(_text) {}

  /** Where it is stored; empty where it is not. */
  get id() {
    return "";
  }

  /** Has this conversation gone on elsewhere? @abstract */
  look() {}

  /** The text in the composer has changed. @abstract @param {string} _text */
  written(_text) {}

  /** @abstract @param {Exchange} _exchange @param {Place} _place */
  taken(_exchange, _place) {}

  /** @abstract @param {Exchange} _exchange */
  changed(_exchange) {}

  /** @abstract @param {Exchange} _exchange */
  ended(_exchange) {}

  /**
   * @abstract
   * @param {Exchange} _exchange
   * @param {import("../models/answer.js").Opinion} _opinion
   * @returns {Promise<boolean>} whether it is kept
   */
  async rate(_exchange, _opinion) {
    return false;
  }

  /** Has it answered. @abstract @param {Exchange} _exchange */
  begin(_exchange) {}

  /** What stands in place of a question is this text now; null where nobody is at it any more. @abstract @param {Exchange} _exchange @param {string | null} _text */
  rewritten(_exchange, _text) {}

  /** Shows the branch through a message. @abstract @param {number} _id */
  version(_id) {}

  /** Goes on in another chat. @abstract @param {Exchange} _exchange */
  branch(_exchange) {}

  /** Deletes the turn, and what follows. @abstract @param {Exchange} _exchange */
  remove(_exchange) {}

  /** Tells the staff of an answer. @abstract @param {Exchange} _exchange */
  report(_exchange) {}

  /** Whether something else has to come to its end first; says so. @param {Exchange} [_exchange] what is to be sent */
  refuses(_exchange) {
    if (this.run) this.status.hint(t("Another answer is being written. Wait, or stop it."));
    return this.run !== null;
  }

  /** Another answer to the same question. @param {Exchange} exchange @param {string} [model] */
  again(exchange, model = this.models.chosen) {
    this.conversation.tryAgain(exchange, model);
    this.begin(exchange);
  }

  /** @abstract @param {Exchange} _exchange */
  proceed(_exchange) {}

  /** The question goes back to the composer, before what was written since. @param {Exchange} exchange */
  edit(exchange) {
    this.conversation.remove(exchange);
    this.thread.remove(exchange);
    this.showWhetherEmpty();
    this.composer.text = [exchange.question, this.composer.text].filter(Boolean).join("\n\n");
  }

  /**
   * A question is to be written anew, in its place.
   * @param {Exchange} exchange
   * @param {string} [text]
   * @param {{problem?: string, isAsked?: boolean}} [why] what went wrong with it; whether it is to have the focus
   */
  async rewrite(exchange, text = exchange.question, { problem = "", isAsked = true } = {}) {
    const tools = await this.tools();
    const question = this.thread.questionOf(exchange);
    if (!tools || !question) return;
    tools.openEditor(question, text, {
      problem,
      isAsked,
      sendsOnEnter: this.sendsOnEnter,
      written: (/** @type {string | null} */ written) => this.rewritten(exchange, written),
      save: (/** @type {string} */ written) => this.#revise(exchange, written),
    });
  }

  /** What is fetched for those who change what was said. */
  async tools() {
    const tools = await turnTools();
    if (!tools) this.status.hint(t("This could not be loaded. Check the connection, or reload the page."));
    return tools;
  }

  /** What the last answer says, as far as it has come. */
  get lastText() {
    return this.conversation.exchanges.findLast(({ answer }) => answer.text)?.answer.text ?? "";
  }

  stop() {
    this.status.say(t("Stopping…"));
    this.run?.stop();
  }

  /**
   * Has an answer written, or follows it, to its end.
   * @param {Exchange} exchange
   * @param {import("../stream/send_message.js").Send | null} send
   * @param {() => Promise<import("../api/conversations.js").StoredMessage>} [stored]
   */
  async start(exchange, send, stored) {
    const listener = {
      taken: (/** @type {Place} */ place) => this.taken(exchange, place),
      changed: () => {
        this.thread.changed(exchange);
        this.announcer.update(exchange.answer.text);
        this.changed(exchange);
      },
      stopFailed: () => this.status.hint(t("The answer could not be stopped. Check the connection.")),
    };
    const run = new AnswerRequest(this.env, exchange.answer, listener, stored);
    this.run = run;
    this.composer.setBusy(true);
    this.showWhetherEmpty();
    this.announcer.begin(exchange.answer.text);
    await run.run(send);
    if (this.run === run) this.#end(exchange);
  }

  idle() {
    this.run = null;
    this.composer.setBusy(false);
  }

  showWhetherEmpty() {
    this.gauge.conversation(this.conversation.exchanges);
    this.gauge.window(this.models.window);
    this.page.toggleAttribute("data-empty", !this.conversation.last);
  }

  /** @param {HTMLElement} element */
  #menu(element) {
    return new TurnMenu(element, this.models.options, {
      again: (exchange, model) => this.#regenerate(exchange, model),
      branch: (exchange) => this.branch(exchange),
      remove: (exchange) => this.remove(exchange),
    });
  }

  /** @param {Exchange} exchange */
  #end(exchange) {
    this.idle();
    this.announcer.end(exchange.answer.text, outcomeAnnouncement(exchange.answer));
    this.thread.settle(exchange);
    this.#takeBack(exchange);
    this.gauge.conversation(this.conversation.exchanges);
    this.ended(exchange);
    this.onEnd();
  }

  /**
   * @param {Exchange} exchange
   * @param {string} choice one of the ways out of an answer that did not end well
   */
  #choose(exchange, choice) {
    const { answer } = exchange;
    const changes = retryOptions(choice, answer, this.models.abilitiesOf(answer.model)) ?? undefined;
    if (choice === "again" || changes) this.#regenerate(exchange, changes && answer.model, changes);
    else if (!this.refuses(exchange)) {
      if (choice === "edit") this.edit(exchange);
      else {
        this.proceed(exchange);
        this.thread.replaceAnswer(exchange);
      }
      this.composer.focus();
    }
  }

  /** @param {Exchange} exchange @param {string} [model] @param {import("../models/thinking_retry.js").RequestOptions} [changes] */
  #regenerate(exchange, model, changes) {
    if (this.refuses(exchange)) return;
    exchange.changes = changes;
    this.again(exchange, model);
    this.thread.show(this.conversation.exchanges);
    this.thread.replaceAnswer(exchange);
    this.composer.focus();
  }

  /** @param {Exchange} exchange @param {string} text @returns {boolean} whether it is on its way */
  #revise(exchange, text) {
    if (this.refuses()) return false;
    const revised = this.conversation.revise(exchange, text, this.models.chosen);
    this.thread.show(this.conversation.exchanges);
    this.begin(revised);
    this.jump.toEnd();
    this.composer.focus();
    return true;
  }

  /** What came to nothing gives its place back; the words of it are not lost. @param {Exchange} exchange */
  #takeBack(exchange) {
    const { question, answer } = exchange;
    const back = this.conversation.takeBack(exchange);
    if (!back) return;
    this.thread.show(this.conversation.exchanges);
    if (back === exchange) this.thread.replaceAnswer(exchange);
    else this.rewrite(back, question, { problem: answer.problem?.message });
  }
}
