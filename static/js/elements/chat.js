/** The conversation of this tab at work: sends, stops, tries again, starts over, goes on after a reload. */

import { Conversation } from "../models/conversation.js";
import { Memory } from "../models/memory.js";
import { endInWords } from "../models/outcome.js";
import { Run } from "../models/run.js";
import { Composer } from "./composer.js";
import { JumpButton } from "./jump_button.js";
import { ModelPicker } from "./model_picker.js";
import { Thread } from "./thread.js";

/** @typedef {import("../models/conversation.js").Exchange} Exchange */

export class Chat {
  #conversation = new Conversation();
  #run = /** @type {Run | null} */ (null);
  #page;
  #status;
  #world;
  #memory;
  #models;
  #thread;
  #composer;
  #jump;

  /** @param {Record<string, any>} parts of the page: see chat.js */
  constructor({ page, status, world, shelf, thread, composer, jump, models }) {
    this.#page = page;
    this.#status = status;
    this.#world = world;
    this.#memory = new Memory(shelf);
    this.#models = new ModelPicker(models);
    this.#thread = new Thread(thread, status, this.#models, this.#choose.bind(this));
    this.#composer = new Composer(composer, {
      send: (text) => this.send(text),
      stop: () => this.stop(),
      write: (text) => {
        this.#memory.draft = text;
        status.clearHint();
      },
      refuse: () => status.hint("An answer is being written. Your text stays here: stop it, or wait."),
    });
    this.#jump = new JumpButton(jump, page, () => this.#composer.focus());
    addEventListener("pagehide", () => this.#save());
  }

  /** @param {string} text */
  send(text) {
    if (this.#run) return;
    const exchange = this.#conversation.add(text, this.#models.chosen);
    this.#thread.add(exchange);
    this.#start(exchange);
    this.#jump.toEnd();
    this.#composer.focus();
  }

  stop() {
    this.#status.say("Stopping…");
    this.#run?.stop();
  }

  startOver() {
    this.#run?.abandon();
    this.#idle();
    this.#conversation = new Conversation();
    this.#thread.clear();
    this.#showWhetherEmpty();
    this.#jump.release();
    this.#save();
    this.#composer.focus();
  }

  /** Shows what the tab remembers, and reads an answer that was under way to its end. */
  restore() {
    this.#conversation = this.#memory.restore();
    const { exchanges, model } = this.#conversation;
    this.#models.choose(model);
    this.#composer.text = this.#composer.text || this.#memory.draft;
    this.#thread.show(this.#conversation);
    this.#showWhetherEmpty();
    if (exchanges.length) this.#jump.toEnd();
    const running = exchanges.find(({ answer }) => !answer.isOver);
    if (running) this.#start(running);
    this.#composer.focus();
  }

  /** @param {Exchange} exchange */
  async #start(exchange) {
    const { answer } = exchange;
    const run = new Run(this.#world, answer, {
      taken: () => {
        this.#memory.accepted(exchange.question);
        this.#save();
      },
      changed: () => {
        this.#thread.changed(exchange);
        this.#memory.saveSoon(this.#conversation);
      },
      stopFailed: () => this.#status.hint("The answer could not be stopped. Check the connection."),
    });
    this.#run = run;
    this.#composer.setBusy(true);
    this.#showWhetherEmpty();
    this.#save();
    this.#status.say("Replying…");
    await run.toEnd({ messages: this.#conversation.messagesFor(exchange), model: answer.model });
    if (this.#run === run) this.#ended(exchange);
  }

  /** @param {Exchange} exchange */
  #ended(exchange) {
    this.#idle();
    this.#status.say(endInWords(exchange.answer));
    this.#thread.settle(exchange);
    if (this.#conversation.takeBack(exchange)) this.#thread.replaceAnswer(exchange);
    this.#save();
  }

  #idle() {
    this.#run = null;
    this.#composer.setBusy(false);
  }

  /**
   * @param {Exchange} exchange
   * @param {string} choice one of the ways out of an answer that did not end well
   */
  #choose(exchange, choice) {
    if (this.#run) this.#status.hint("Another answer is being written. Wait, or stop it.");
    else if (choice === "again") this.#again(exchange);
    else this.#edit(exchange);
  }

  /** @param {Exchange} exchange */
  #again(exchange) {
    this.#conversation.tryAgain(exchange, this.#models.chosen);
    this.#thread.replaceAnswer(exchange);
    this.#start(exchange);
    this.#composer.focus();
  }

  /** @param {Exchange} exchange */
  #edit(exchange) {
    this.#conversation.remove(exchange);
    this.#thread.remove(exchange);
    this.#showWhetherEmpty();
    this.#composer.text = [exchange.question, this.#composer.text].filter(Boolean).join("\n\n");
    this.#save();
    this.#composer.focus();
  }

  #save() {
    this.#conversation.model = this.#models.chosen;
    this.#memory.save(this.#conversation);
  }

  #showWhetherEmpty() {
    this.#page.toggleAttribute("data-empty", !this.#conversation.exchanges.length);
  }
}
