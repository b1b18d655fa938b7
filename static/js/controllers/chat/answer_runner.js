/** Run answers one at a time, or follow running ones, to their end. Meanwhile, the composer's button stops them. */

import { t } from "../../lib/i18n.js";
import { AnswerRequest } from "../../models/answer_request.js";
import { outcomeAnnouncement } from "../../models/outcome.js";

/** @typedef {import("./chat_store.js").Exchange} Exchange */
/** @typedef {import("../../api/responses.js").MessageIds} MessageIds */

/** @typedef {{isRunning: boolean, stop: () => void, leave: () => void}} OtherRun */
/**
 * @typedef {object} RunListener
 * @property {() => void} started
 * @property {() => void} rested no answer is running any more
 * @property {() => void} left the page has left an answer that may still be running
 * @property {(exchange: Exchange, place: MessageIds) => void} accepted the server has stored the question
 * @property {(exchange: Exchange) => void} changed the answer has changed
 * @property {(exchange: Exchange) => void} ended
 */

export class AnswerRunner {
  /** @type {AnswerRequest | null} */
  #run = null;
  #env;
  #status;
  #composer;
  #announcer;
  #listener;
  /** @type {OtherRun | null} an answer that is compared with this one, and may run at the same time */
  other = null;

  /**
   * @param {object} parts
   * @param {import("../../browser/browser_env.js").BrowserEnv} parts.env
   * @param {import("../ui/status.js").Status} parts.status
   * @param {import("../composer/composer.js").Composer} parts.composer
   * @param {import("../../models/announcer.js").Announcer} parts.announcer
   * @param {RunListener} listener
   */
  constructor({ env, status, composer, announcer }, listener) {
    this.#env = env;
    this.#status = status;
    this.#composer = composer;
    this.#announcer = announcer;
    this.#listener = listener;
  }

  get isRunning() {
    return this.#run !== null || this.other?.isRunning === true;
  }

  /** Show on the composer's button whether an answer is running. */
  showBusy() {
    this.#composer.setBusy(this.isRunning);
  }

  /** @param {Exchange} exchange @param {import("./chat_store.js").AnswerSource} request */
  async start(exchange, { send, stored }) {
    const listener = {
      taken: (/** @type {MessageIds} */ place) => this.#listener.accepted(exchange, place),
      changed: () => {
        this.#announcer.update(exchange.answer.text);
        this.#listener.changed(exchange);
      },
      stopFailed: () => this.#status.hint(t("Couldn't stop the answer. Check your connection.")),
    };
    const run = new AnswerRequest(this.#env, exchange.answer, listener, stored);
    this.#run = run;
    this.showBusy();
    this.#listener.started();
    this.#announcer.begin(exchange.answer.text);
    await run.run(send);
    if (this.#run === run) this.#end(exchange);
  }

  /** Stop the answer, and unless `isAlone` the other one, and keep their text. */
  stop(isAlone = false) {
    this.#status.say(t("Stopping…"));
    this.#run?.stop();
    if (!isAlone) this.other?.stop();
  }

  /** Stop following, because the page shows something else; a stored answer continues on the server. */
  leave() {
    this.#run?.leave();
    this.other?.leave();
    this.#rest();
    this.#listener.left();
  }

  /** Stop the answer and discard it. */
  abandon() {
    this.#run?.abandon();
    this.#rest();
    this.#listener.left();
  }

  /** @param {Exchange} exchange */
  #end(exchange) {
    this.#rest();
    this.#announcer.end(exchange.answer.text, outcomeAnnouncement(exchange.answer));
    this.#listener.ended(exchange);
  }

  #rest() {
    if (!this.#run) return;
    this.#run = null;
    this.showBusy();
    this.#listener.rested();
  }
}
