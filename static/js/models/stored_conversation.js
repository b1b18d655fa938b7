/**
 * A conversation that the server keeps: the branch that was used last, as the page shows it, and what
 * is sent to go on from there.
 */

import { newKey } from "../lib/keys.js";
import { Answer } from "./answer.js";
import { Exchanges } from "./exchanges.js";

/** @typedef {import("./exchanges.js").Exchange} Exchange */
/** @typedef {import("../stream/stored.js").Turn} Turn */

export class StoredConversation extends Exchanges {
  /** "" until the first question is stored. */
  id = "";
  /** Of a chat that begins: the id of its persona; "" for none. */
  persona = "";
  /** Whether the server has more from before the first exchange. */
  hasEarlier = false;

  /**
   * @param {string} id
   * @param {Turn[]} turns
   * @param {boolean} [hasEarlier]
   * @param {string} [persona]
   */
  static of(id, turns, hasEarlier = false, persona = "") {
    const conversation = new StoredConversation();
    conversation.id = id;
    conversation.exchanges = exchangesOf(turns);
    conversation.hasEarlier = hasEarlier;
    conversation.persona = persona;
    return conversation;
  }

  /** A question that may not have reached the server. */
  get unsent() {
    return this.exchanges.find(({ questionId }) => !questionId);
  }

  /** An answer that somebody else is having written, or had when the page was made. */
  get running() {
    return this.exchanges.findLast(({ answer }) => answer.generationId && !answer.isOver);
  }

  /** Whether another exchange shows this question. @param {number} questionId @param {Exchange} exchange */
  has(questionId, exchange) {
    return this.exchanges.some((each) => each !== exchange && each.questionId === questionId);
  }

  /** What asks for a new question's answer. @param {string} text @param {string} model */
  bodyOf(text, model) {
    const parent = this.exchanges.findLast(({ answer }) => answer.messageId)?.answer.messageId;
    const persona = this.id ? "" : this.persona;
    return { key: newKey(), text, model, ...(parent ? { parent } : {}), ...(persona ? { persona } : {}) };
  }

  /**
   * Prepares another attempt. What may have reached the server is repeated as it was.
   * @param {Exchange} exchange
   * @param {string} model
   */
  tryAgain(exchange, model) {
    if (!exchange.answer.generationId) exchange.body = this.#bodyAgain(exchange, model);
    super.tryAgain(exchange, exchange.body?.model ?? model);
  }

  /** What the server has is the answer, also if it says less than the one before. @param {Exchange} exchange */
  takeBack(exchange) {
    const { answer, previous } = exchange;
    delete exchange.previous;
    if (answer.wasTaken || !previous) return false;
    if (answer.problem) previous.fail(answer.problem);
    exchange.answer = previous;
    return true;
  }

  /** Prepares more of the same answer. @param {Exchange} exchange */
  proceed(exchange) {
    const { messageId } = exchange.answer;
    if (exchange.body?.resume !== messageId) exchange.body = { key: newKey(), resume: messageId };
    exchange.answer.proceed();
  }

  /**
   * The server has it: nothing of it needs to be repeated.
   * @param {Exchange} exchange
   * @param {import("../stream/responses.js").Place} place
   */
  accepted(exchange, place) {
    this.id = place.conversationId || this.id;
    exchange.questionId = place.questionId || exchange.questionId;
    delete exchange.body;
  }

  /**
   * Becomes what the server stores, of which `turns` is the end; exchanges that it has not are left at
   * the end.
   * @param {Turn[]} turns
   * @param {boolean} [hasEarlier]
   * @returns {Exchange[]} those that were replaced or are new
   */
  reconcile(turns, hasEarlier = false) {
    const known = this.exchanges;
    const unsent = known.filter(({ questionId }) => !questionId);
    const stored = exchangesOf(turns).map((each) => known.find((old) => isSame(old, each)) ?? each);
    const earlier = this.#before(turns[0]);
    if (!earlier.length) this.hasEarlier = hasEarlier;
    this.exchanges = [...earlier, ...stored, ...unsent];
    return stored.filter((each) => !known.includes(each));
  }

  /** What came before all that is here. @param {Turn[]} turns @param {boolean} hasEarlier */
  prepend(turns, hasEarlier) {
    this.exchanges.unshift(...exchangesOf(turns));
    this.hasEarlier = hasEarlier;
  }

  /** What is here of the branch up to a turn. @param {Turn | undefined} turn */
  #before(turn) {
    const last = this.exchanges.findIndex(({ answer }) => turn?.parent && answer.messageId === turn.parent);
    return this.exchanges.slice(0, last + 1);
  }

  /** @param {Exchange} exchange @param {string} model */
  #bodyAgain({ question, questionId, answer, body }, model) {
    if (!questionId) return body ?? this.bodyOf(question, model);
    if (body?.retry === answer.messageId) return body;
    return { key: newKey(), retry: answer.messageId, model };
  }
}

/** Whether this question was stored already. @param {{text: string, parent?: number}} body @param {Turn[]} turns */
export function isStored({ text, parent }, turns) {
  return turns.some((turn) => turn.role === "user" && turn.text === text && turn.parent === (parent ?? null));
}

/** @param {Turn[]} turns @returns {Exchange[]} */
function exchangesOf(turns) {
  const answers = new Map(turns.filter(({ role }) => role === "assistant").map((turn) => [turn.parent, turn]));
  return turns
    .filter(({ role }) => role === "user")
    .map((question) => {
      const answer = new Answer("");
      const turn = answers.get(question.id);
      if (turn) take(answer, turn);
      else answer.state = "failed";
      const askedAt = Date.parse(question.created_at);
      return { question: question.text, askedAt, answer, questionId: question.id };
    });
}

/** `answer` becomes exactly what the server stores. @param {Answer} answer @param {Turn} turn */
export function take(answer, turn) {
  const isRunning = turn.state === "running";
  answer.accept({ generationId: isRunning ? (turn.generation ?? "") : "", messageId: turn.id });
  Object.assign(answer, { text: turn.text, reasoning: turn.reasoning, lastEventId: "" });
  answer.proceed();
  answer.model = turn.model || answer.model;
  answer.omitted = turn.omitted_messages ?? 0;
  answer.usage = turn.usage ?? null;
  answer.timing = turn.timing ?? null;
  answer.rating = turn.rating ?? null;
  answer.finishReason = turn.finish_reason ?? "";
  answer.problem = turn.error ?? null;
  if (!isRunning) answer.state = turn.state ?? "failed";
}

/** @param {Exchange} one @param {Exchange} other */
function isSame(one, other) {
  const [a, b] = [one.answer, other.answer];
  return (
    one.questionId === other.questionId &&
    a.messageId === b.messageId &&
    a.text === b.text &&
    a.reasoning === b.reasoning &&
    a.state === b.state
  );
}
