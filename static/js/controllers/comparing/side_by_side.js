/**
 * Compare the last answer of a chat with another model's, loaded when a chat has such answers. The page's own answer moves
 * into one of two columns, and stays the chat's; the other one is beside it until the next question.
 */

import { fetchMessage } from "../../api/conversations.js";
import { markRead } from "../../api/mark_read.js";
import { decidePair } from "../../api/pairs.js";
import { loadStyleSheet } from "../../browser/load_style_sheet.js";
import { t } from "../../lib/i18n.js";
import { once } from "../../lib/once.js";
import { OtherAnswer } from "../../models/other_answer.js";
import { Columns, labelOf } from "./columns.js";
import { replaceOwn, viewOf } from "./other_view.js";

const loadStyles = once(() => loadStyleSheet("side_by_side.css"));

/** @typedef {import("./columns.js").Side} Side */
/** @typedef {import("../../models/conversation.js").Exchange} Exchange */
/** @typedef {import("../../types.js").Pair} Pair */
/** @typedef {import("./other_view.js").Parts} Parts */

/** @type {WeakMap<object, SideBySide>} */
const shown = new WeakMap();

/**
 * Show the last answer and the one that it is compared with.
 * @param {Parts} parts
 * @param {Exchange} exchange
 * @param {string} [model] to compare it with, if it isn't compared yet
 */
export async function showBeside(parts, exchange, model = "") {
  await loadStyles();
  if (parts.store.conversation.last !== exchange) return;
  let known = shown.get(parts.chat);
  if (!known) shown.set(parts.chat, (known = new SideBySide(parts)));
  known.show(exchange, model);
}

class SideBySide {
  #parts;
  /** @type {Exchange | null} */
  #exchange = null;
  /** @type {OtherAnswer | null} */
  #other = null;
  /** @type {import("../transcript/answer_view.js").AnswerView | null} */
  #view = null;
  /** @type {Columns | null} */
  #columns = null;
  #wasRunning = false;
  /** @type {Side | ""} the column whose button gets the focus once it is shown again */
  #toFocus = "";

  /** @param {Parts} parts */
  constructor(parts) {
    this.#parts = parts;
    const { chat } = parts;
    chat.obstacle = () => this.#obstacle();
    const update = () => this.#update();
    chat.subscribe({ shown: () => this.#leaveUnlessLast(), accepted: update, changed: update, ended: update });
  }

  /** @param {Exchange} exchange @param {string} model */
  show(exchange, model) {
    const { answer } = exchange;
    if (this.#exchange === exchange && this.#columns?.root.isConnected && !model) {
      this.#update();
      return;
    }
    const pair = model ? { side: /** @type {const} */ ("a"), model } : answer.pair;
    const root = this.#parts.chat.transcript.rootOf(exchange);
    if (!pair || !root) return;
    this.#leave();
    answer.pair = pair;
    this.#exchange = exchange;
    this.#open(root, pair);
    if (pair.beside) this.#load(pair.beside);
    else if (pair.id === undefined) this.#other?.ask(answer.messageId, model);
    else this.#showMissing();
  }

  /** @param {HTMLElement} root @param {Pair} pair */
  #open(root, pair) {
    const { chat, page } = this.#parts;
    const { answer } = /** @type {Exchange} */ (this.#exchange);
    if (pair.is_blind) answer.model = labelOf(pair.side);
    chat.transcript.questionOf(/** @type {Exchange} */ (this.#exchange)); // now it has its buttons
    const own = /** @type {HTMLElement} */ (root.querySelector(".answer"));
    const columns = new Columns({
      stop: (side) => this.#stop(side),
      choose: (side) => this.#decide({ chosen: side }),
      again: (side) => this.#again(side),
      vote: (verdict) => this.#decide({ verdict }),
    });
    own.replaceWith(columns.root);
    columns.place(pair.side, own);
    this.#columns = columns;
    page.classList.add("side-by-side-page");
    this.#renewOther(pair);
    this.#update();
  }

  /** @param {Pair} pair */
  #renewOther(pair) {
    const { env, store, chat } = this.#parts;
    const side = otherSide(pair);
    const other = new OtherAnswer(env, store.id, pair.is_blind ? labelOf(side) : (pair.model ?? ""), this.#listener());
    this.#other = chat.answers.other = other;
    this.#renewView();
  }

  #renewView() {
    const exchange = /** @type {Exchange} */ (this.#exchange);
    this.#view?.settle();
    this.#view = viewOf(/** @type {OtherAnswer} */ (this.#other), exchange, this.#parts);
    if (exchange.answer.pair) this.#columns?.place(otherSide(exchange.answer.pair), this.#view.root);
  }

  /** @returns {import("../../models/other_answer.js").OtherListener} */
  #listener() {
    const { chat, env, store, status } = this.#parts;
    return {
      started: () => {
        this.#wasRunning = true;
        this.#renewView();
        chat.answers.showBusy();
        this.#update();
      },
      accepted: () => this.#learnPair(),
      changed: () => this.#view?.changed(),
      ended: () => {
        this.#otherEnded();
        if (!document.hidden) markRead(env, store.id);
      },
      stopFailed: () => status.hint(t("Couldn't stop the answer. Check your connection.")),
    };
  }

  #otherEnded() {
    const { chat, status } = this.#parts;
    const exchange = this.#exchange;
    if (!exchange || !this.#other) return;
    this.#view?.changed();
    this.#view?.settle();
    chat.answers.showBusy();
    const { problem } = this.#other.answer;
    if (problem && exchange.answer.pair) status.say(`${labelOf(otherSide(exchange.answer.pair))}: ${problem.message}`);
    if (exchange.answer.pair?.id === undefined) this.#learnPair();
    this.#update();
  }

  /** @param {number} messageId */
  async #load(messageId) {
    try {
      await this.#other?.load(messageId);
    } catch (error) {
      this.#parts.status.hint(/** @type {Error} */ (error).message);
      this.#leave();
    }
  }

  /** The page was closed before the other answer was asked for, or that was refused. */
  #showMissing() {
    this.#other?.answer.fail({ code: "not_started", message: t("This answer wasn't started."), retryable: true });
    this.#otherEnded();
  }

  /** Read from the server what it has stored about the pair. */
  async #learnPair() {
    const exchange = this.#exchange;
    const { env, store } = this.#parts;
    if (!exchange) return;
    const turn = await fetchMessage(env, store.id, exchange.answer.messageId).catch(() => null);
    if (!turn || this.#exchange !== exchange) return;
    const { answer } = exchange;
    if (turn.pair) answer.pair = turn.pair;
    answer.versions = [...new Set([...answer.versions, turn.pair?.beside ?? 0])].filter(Boolean);
    if (answer.isOver) Object.assign(answer, { usage: turn.usage ?? null, timing: turn.timing ?? null });
    this.#update();
  }

  /** @param {Side} side */
  #stop(side) {
    const { chat, status } = this.#parts;
    if (side === this.#exchange?.answer.pair?.side) chat.answers.stop(true);
    else {
      status.say(t("Stopping…"));
      this.#other?.stop();
    }
  }

  /** Ask a model again whose answer failed. @param {Side} side */
  #again(side) {
    const exchange = this.#exchange;
    const { pair } = exchange?.answer ?? {};
    if (!exchange || !pair || !this.#other || this.#parts.chat.refuses()) return;
    if (side !== pair.side) {
      this.#renewOther(pair);
      this.#other.ask(exchange.answer.messageId, pair.id === undefined ? pair.model : "");
    } else replaceOwn(this.#parts, this.#other.answer.messageId);
  }

  /** @param {{verdict: string} | {chosen: string}} decision */
  async #decide(decision) {
    const { env, store, status } = this.#parts;
    const exchange = this.#exchange;
    const { id } = exchange?.answer.pair ?? {};
    if (!exchange || !id) return;
    try {
      const decided = await decidePair(env, store.id, id, decision);
      if (this.#exchange === exchange) await this.#decided(exchange, decided);
    } catch (error) {
      status.hint(/** @type {Error} */ (error).message);
    }
  }

  /** @param {Exchange} exchange @param {import("../../api/pairs.js").Decided} decided */
  async #decided({ answer }, { pair: { is_blind = false, verdict, chosen }, models: names }) {
    const { models, status, branches } = this.#parts;
    const other = this.#other;
    if (!answer.pair || !other) return;
    const { side } = answer.pair;
    const model = names[otherSide(answer.pair)];
    const wasBlind = answer.pair.is_blind;
    answer.pair = { ...answer.pair, is_blind, verdict, chosen, model };
    answer.model = names[side];
    other.answer.model = model;
    const words = ["a", "b"].map((each) => `${labelOf(/** @type {Side} */ (each))}: ${models.nameOf(names[/** @type {Side} */ (each)])}`);
    if (wasBlind) status.say(words.join(". "));
    if (chosen) models.choose(names[chosen]);
    status.clearHint();
    this.#toFocus = chosen ?? side;
    if (chosen && chosen !== side) await branches.show(other.answer.messageId);
    else {
      this.#update();
      if (wasBlind) this.#learnPair();
    }
  }

  #update() {
    const exchange = this.#exchange;
    const { pair } = exchange?.answer ?? {};
    if (!exchange || !pair || !this.#other || !this.#columns) return;
    const answers = { own: exchange.answer, other: this.#other.answer };
    const isOver = answers.own.isOver && answers.other.isOver;
    const isComplete = Boolean(answers.own.text && answers.other.text);
    for (const [who, answer] of Object.entries(answers)) {
      const side = who === "own" ? pair.side : otherSide(pair);
      this.#columns.show(side, {
        name: pair.is_blind ? "" : this.#parts.models.nameOf(answer.model),
        isRunning: !answer.isOver,
        canChoose: isOver && !pair.is_blind && Boolean(pair.id && answer.text) && (isComplete || who === "other"),
        isChosen: pair.chosen === side,
      });
    }
    this.#columns.showVote({ isOffered: isOver && Boolean(pair.is_blind && pair.id), isComplete });
    if (this.#toFocus && this.#columns.focus(this.#toFocus)) this.#toFocus = "";
    this.#sayIfOver(isOver, Boolean(pair.is_blind));
  }

  /** Say once that both have ended, if the page has seen one of them running. @param {boolean} isOver @param {boolean} isBlind */
  #sayIfOver(isOver, isBlind) {
    const { chat, status } = this.#parts;
    if (isOver && this.#wasRunning) {
      this.#wasRunning = false;
      status.say(isBlind ? t("Both answers are there. Which answer is better?") : t("Both answers are there."));
      if (!chat.answers.isRunning) chat.answers.leave(); // what was queued goes back to the message box
    }
  }

  /** Return why no question can follow yet. */
  #obstacle() {
    const { pair } = this.#exchange?.answer ?? {};
    if (!pair || !this.#other || !this.#columns?.root.isConnected) return "";
    if (pair.is_blind) return t("Vote on the two answers first, or show the names.");
    return pair.chosen || !this.#other.answer.text ? "" : t("Choose the answer to continue with first.");
  }

  #leaveUnlessLast() {
    if (this.#exchange && this.#parts.store.conversation.last !== this.#exchange) this.#leave();
  }

  /** Show one answer again. */
  #leave() {
    const { chat, page } = this.#parts;
    const exchange = this.#exchange;
    this.#view?.settle();
    this.#other?.leave();
    chat.answers.other = null;
    page.classList.remove("side-by-side-page");
    const own = exchange?.answer.pair && this.#columns?.answerAt(exchange.answer.pair.side);
    if (own) this.#columns?.root.replaceWith(own);
    this.#exchange = this.#other = this.#view = this.#columns = null;
    this.#wasRunning = false;
    if (exchange) chat.transcript.changed(exchange);
  }
}

/** @param {Pair} pair @returns {Side} */
const otherSide = ({ side }) => (side === "a" ? "b" : "a");
