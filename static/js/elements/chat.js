/**
 * What every chat page does: one conversation, at most one answer under way, a composer that sends or
 * stops. Where the conversation is kept is the business of the two kinds: stored_chat.js and
 * temporary_chat.js.
 */

import { t } from "../lib/words.js";
import { Announcer } from "../models/announcer.js";
import { endInWords } from "../models/outcome.js";
import { Run } from "../models/run.js";
import { refreshAllowance } from "./allowance.js";
import { Composer } from "./composer.js";
import { JumpButton } from "./jump_button.js";
import { Thread } from "./thread.js";

/** @typedef {import("../models/exchanges.js").Exchange} Exchange */
/** @typedef {import("../stream/responses.js").Place} Place */

/** @abstract */
export class Chat {
  /** @type {Run | null} */
  run = null;
  /** @type {import("../models/exchanges.js").Exchanges} */
  conversation;

  /**
   * @param {Record<string, any>} parts of the page: see chat.js
   * @param {import("../models/exchanges.js").Exchanges} conversation
   */
  constructor({ page, status, world, thread, composer, jump, models, gauge }, conversation) {
    this.page = page;
    this.status = status;
    this.announcer = new Announcer((words) => status.say(words), page.dataset.announcements);
    this.world = world;
    this.conversation = conversation;
    this.models = models;
    this.gauge = gauge;
    models.onChange(() => gauge.window(models.window));
    this.thread = new Thread(thread, status, this.models, {
      choose: (exchange, choice) => this.#choose(exchange, choice),
      rate: (exchange, opinion) => this.rate(exchange, opinion),
    });
    const handlers = {
      send: (/** @type {string} */ text) => {
        gauge.draft("");
        this.send(text);
      },
      stop: () => this.stop(),
      write: (/** @type {string} */ text) => {
        this.written(text);
        gauge.draft(text);
        status.clearHint();
      },
      refuse: () => status.hint(t("An answer is being written. Your text stays here: stop it, or wait.")),
    };
    this.composer = new Composer(composer, handlers, page.dataset.enterKey !== "newline");
    this.jump = new JumpButton(jump, page, () => this.composer.focus());
  }

  /** Its name on the server; "" where it has none. */
  get id() {
    return "";
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

  /** @abstract @param {Exchange} _exchange */
  again(_exchange) {}

  /** @abstract @param {Exchange} _exchange */
  proceed(_exchange) {}

  /** The question goes back to the composer, before what was written since. @param {Exchange} exchange */
  edit(exchange) {
    this.conversation.remove(exchange);
    this.thread.remove(exchange);
    this.showWhetherEmpty();
    this.composer.text = [exchange.question, this.composer.text].filter(Boolean).join("\n\n");
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
   * @param {import("../stream/sending.js").Send | null} send
   * @param {() => Promise<import("../stream/stored.js").Turn>} [stored]
   */
  async start(exchange, send, stored) {
    const listener = {
      taken: (/** @type {Place} */ place) => this.taken(exchange, place),
      changed: () => {
        this.thread.changed(exchange);
        this.announcer.grown(exchange.answer.text);
        this.changed(exchange);
      },
      stopFailed: () => this.status.hint(t("The answer could not be stopped. Check the connection.")),
    };
    const run = new Run(this.world, exchange.answer, listener, stored);
    this.run = run;
    this.composer.setBusy(true);
    this.showWhetherEmpty();
    this.announcer.begin(exchange.answer.text);
    await run.toEnd(send);
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

  /** @param {Exchange} exchange */
  #end(exchange) {
    this.idle();
    this.announcer.end(exchange.answer.text, endInWords(exchange.answer));
    this.thread.settle(exchange);
    if (this.conversation.takeBack(exchange)) this.thread.replaceAnswer(exchange);
    this.gauge.conversation(this.conversation.exchanges);
    this.ended(exchange);
    refreshAllowance();
  }

  /**
   * @param {Exchange} exchange
   * @param {string} choice one of the ways out of an answer that did not end well
   */
  #choose(exchange, choice) {
    if (this.run) {
      this.status.hint(t("Another answer is being written. Wait, or stop it."));
      return;
    }
    if (choice === "edit") this.edit(exchange);
    else {
      if (choice === "continue") this.proceed(exchange);
      else this.again(exchange);
      this.thread.replaceAnswer(exchange);
    }
    this.composer.focus();
  }
}
