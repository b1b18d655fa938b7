/** A stored conversation: the branch that the page shows, and the requests that continue it. */

import { newIdempotencyKey } from "../lib/idempotency_key.js";
import { Answer } from "./answer.js";
import { Conversation } from "./conversation.js";

/** @typedef {import("./conversation.js").Exchange} Exchange */
/** @typedef {import("../api/conversations.js").StoredMessage} Turn */

export class StoredConversation extends Conversation {
  /** "" until the first question is stored. */
  id = "";
  /** The persona's ID, for a new conversation; "" for none. */
  persona = "";
  /** The project's ID, for a new conversation; "" for none. */
  project = "";
  /**
   * Additional parameters of requests to a model.
   * @type {(model: string) => import("./thinking_retry.js").RequestOptions}
   */
  options = () => ({});
  /** Whether the server has exchanges before the first one. */
  hasEarlier = false;

  /**
   * @param {string} id
   * @param {Turn[]} turns
   * @param {boolean} [hasEarlier]
   * @param {string} [persona]
   * @param {string} [project]
   */
  static of(id, turns, hasEarlier = false, persona = "", project = "") {
    const conversation = new StoredConversation();
    conversation.id = id;
    conversation.exchanges = exchangesOf(turns);
    conversation.hasEarlier = hasEarlier;
    conversation.persona = persona;
    conversation.project = project;
    return conversation;
  }

  /** A question that may not have reached the server. One that the server refused blocks nothing. */
  get unsent() {
    return this.exchanges.find(({ questionId, body }) => !questionId && body);
  }

  /** The questions that the server refused. */
  get refused() {
    return this.exchanges.filter(({ questionId, body }) => !questionId && !body).map(({ question }) => question);
  }

  /** @param {Exchange} exchange */
  isStored({ questionId }) {
    return Boolean(questionId);
  }

  /** The exchange whose running answer was requested elsewhere. */
  get running() {
    return this.exchanges.findLast(({ answer }) => answer.generationId && !answer.isOver);
  }

  /** Return the IDs of all versions of a shown message. @param {number} id */
  versionsOf(id) {
    const found = this.exchanges.map(({ versions = [], answer }) => [versions, answer.versions]).flat();
    return found.find((versions) => versions.includes(id)) ?? [];
  }

  /** Whether another exchange shows this question. @param {number} questionId @param {Exchange} exchange */
  has(questionId, exchange) {
    return this.exchanges.some((each) => each !== exchange && each.questionId === questionId);
  }

  /** The last stored message, which identifies the branch; 0 if there is none. */
  get lastId() {
    const last = this.exchanges.findLast(({ questionId }) => questionId);
    return last?.answer.messageId || last?.questionId || 0;
  }

  /**
   * Return the request for a new question. It names its parent, because otherwise it would follow the last message of
   * any branch; 0 is the start.
   * @param {string} text
   * @param {string} model
   * @param {number} [parent]
   */
  bodyOf(text, model, parent = this.exchanges.findLast(({ answer }) => answer.messageId)?.answer.messageId ?? 0) {
    const { persona, project } = this;
    const origin = this.id ? {} : { ...(persona ? { persona } : {}), ...(project ? { project } : {}) };
    return { key: newIdempotencyKey(), text, model, ...(this.id ? { parent } : {}), ...origin, ...this.options(model) };
  }

  /**
   * @param {Exchange} exchange
   * @param {string} question
   * @param {string} model
   */
  revise(exchange, question, model) {
    const { parentId = 0, versions } = exchange;
    const body = this.bodyOf(question, model, parentId);
    return Object.assign(super.revise(exchange, question, model), { body, parentId, versions });
  }

  /**
   * Prepare another attempt. A request that may have reached the server is repeated unchanged.
   * @param {Exchange} exchange
   * @param {string} model
   */
  tryAgain(exchange, model) {
    if (!exchange.answer.generationId) exchange.body = this.#bodyAgain(exchange, model);
    super.tryAgain(exchange, exchange.body?.model ?? model);
  }

  /**
   * Keep an attempt that the server has stored, even if it has less text than the previous one.
   * @param {Answer} answer
   */
  isKept(answer) {
    return answer.wasTaken;
  }

  /** Prepare to continue an answer. @param {Exchange} exchange */
  proceed(exchange) {
    const { messageId } = exchange.answer;
    if (exchange.body?.resume !== messageId) exchange.body = { key: newIdempotencyKey(), resume: messageId };
    exchange.answer.proceed();
  }

  /**
   * Record that the server has stored the question, so the request is never repeated.
   * @param {Exchange} exchange
   * @param {import("../api/responses.js").MessageIds} place
   */
  accepted(exchange, place) {
    const { answer, body } = exchange;
    this.confirm(exchange);
    this.id = place.conversationId || this.id;
    exchange.questionId = place.questionId || exchange.questionId;
    exchange.parentId ??= body?.parent ?? 0;
    exchange.versions = withId(exchange.versions, exchange.questionId);
    answer.versions = withId(answer.versions, answer.messageId);
    if (body?.compare_with) answer.pair = { side: "a", is_blind: body.is_blind, model: body.compare_with };
    delete exchange.body;
  }

  /**
   * Become what the server stores, whose end is `turns`. Exchanges that the server does not have stay before those sent since.
   * @param {Turn[]} turns
   * @param {boolean} [hasEarlier]
   * @returns {Exchange[]} exchanges that are new or were replaced
   */
  reconcile(turns, hasEarlier = false) {
    const known = this.exchanges;
    const stored = exchangesOf(turns).map((each) => {
      const old = known.find((one) => isSame(one, each));
      return old ? knowing(old, each) : each;
    });
    const earlier = this.#before(turns[0]);
    if (!earlier.length) this.hasEarlier = hasEarlier;
    this.setExchanges(withUnsent([...earlier, ...stored], known));
    return stored.filter((each) => !known.includes(each));
  }

  /** Add earlier turns at the beginning. @param {Turn[]} turns @param {boolean} hasEarlier */
  prepend(turns, hasEarlier) {
    this.exchanges.unshift(...exchangesOf(turns));
    this.hasEarlier = hasEarlier;
  }

  /** Return the exchanges up to the parent of a turn. @param {Turn | undefined} turn */
  #before(turn) {
    const last = this.exchanges.findIndex(({ answer }) => turn?.parent && answer.messageId === turn.parent);
    return this.exchanges.slice(0, last + 1);
  }

  /** @param {Exchange} exchange @param {string} model */
  #bodyAgain({ question, questionId, answer, body, changes }, model) {
    if (!questionId) return body ?? this.bodyOf(question, model);
    if (body?.retry === answer.messageId && !changes) return body;
    return { key: newIdempotencyKey(), retry: answer.messageId, model, ...this.options(model), ...changes };
  }
}

/**
 * Return whether this question is among stored turns.
 * @param {{text?: string, parent?: number}} body
 * @param {Turn[]} turns
 */
export function isQuestionStored({ text, parent }, turns) {
  return turns.some((turn) => turn.role === "user" && turn.text === text && turn.parent === (parent || null));
}

/** @param {Turn[]} turns @returns {Exchange[]} */
function exchangesOf(turns) {
  const answers = new Map(turns.filter(({ role }) => role === "assistant").map((turn) => [turn.parent, turn]));
  const asked = new Set(turns.filter(({ role }) => role === "user").map(({ id }) => id));
  return turns
    .filter(({ role, parent }) => role === "user" || !asked.has(parent ?? 0))
    .map((question) => {
      const answer = new Answer("");
      if (question.role === "assistant") return spoken(question, answer);
      const turn = answers.get(question.id);
      if (turn) applyStoredMessage(answer, turn);
      else answer.state = question.state || "failed";
      const askedAt = Date.parse(question.created_at);
      const { text, id, parent, versions = [id], is_hidden: isHidden } = question;
      return { question: text, askedAt, answer, questionId: id, parentId: parent ?? 0, versions, isHidden };
    });
}

/**
 * Return an exchange without a question, for a staff message that follows another.
 * @param {Turn} turn
 * @param {Answer} answer
 * @returns {Exchange}
 */
function spoken(turn, answer) {
  applyStoredMessage(answer, turn);
  return { question: "", askedAt: 0, answer, questionId: turn.id, parentId: turn.parent ?? 0, isSpoken: true };
}

/**
 * Return `stored` with the exchanges that the server does not have, each before the same one as it was.
 * @param {Exchange[]} stored
 * @param {Exchange[]} known
 */
function withUnsent(stored, known) {
  const all = [...stored];
  known.forEach((exchange, number) => {
    if (exchange.questionId) return;
    const next = known.slice(number).find(({ questionId }) => questionId)?.questionId;
    const place = all.findIndex(({ questionId }) => next && questionId === next);
    all.splice(place < 0 ? all.length : place, 0, exchange);
  });
  return all;
}

/** Return the same exchange with what may change later, such as its versions, its summary and its suggested questions. @param {Exchange} old @param {Exchange} now */
function knowing(old, { versions, answer }) {
  old.versions = versions;
  old.answer.versions = answer.versions;
  old.answer.summary = answer.summary;
  old.answer.tools = answer.tools;
  old.answer.pair = answer.pair;
  old.answer.followUps = answer.followUps;
  return old;
}

/** @param {number[] | undefined} ids @param {number | undefined} id */
function withId(ids = [], id = 0) {
  return ids.includes(id) ? ids : [...ids, id];
}

/** Make `answer` exactly what the server stores. @param {Answer} answer @param {Turn} turn */
export function applyStoredMessage(answer, turn) {
  const isRunning = turn.state === "running";
  answer.accept({ generationId: isRunning ? (turn.generation ?? "") : "", messageId: turn.id });
  answer.versions = turn.versions ?? withId(answer.versions, turn.id);
  Object.assign(answer, { text: turn.text, reasoning: turn.reasoning, lastEventId: "" });
  answer.proceed();
  answer.model = turn.model || answer.model;
  answer.omitted = turn.omitted_messages ?? 0;
  answer.sources = turn.sources ?? null;
  answer.tools = turn.tools ?? [];
  answer.summary = turn.summary ?? "";
  answer.pair = turn.pair ?? null;
  answer.followUps = turn.follow_ups ?? [];
  answer.usage = turn.usage ?? null;
  answer.timing = turn.timing ?? null;
  answer.rating = turn.rating ?? null;
  answer.isHidden = turn.is_hidden ?? false;
  answer.finishReason = turn.finish_reason ?? "";
  answer.effort = turn.reasoning_effort ?? "";
  answer.isByPerson = Boolean(turn.is_person);
  answer.personName = turn.person_name ?? "";
  answer.personPicture = turn.person_picture ?? "";
  answer.problem = turn.error ?? null;
  if (!isRunning) Object.assign(answer, { state: turn.state ?? "failed", askedAt: Date.parse(turn.created_at) });
}

/** @param {Exchange} one @param {Exchange} other */
function isSame(one, other) {
  const [a, b] = [one.answer, other.answer];
  return (
    one.questionId === other.questionId &&
    !one.isHidden === !other.isHidden &&
    a.messageId === b.messageId &&
    a.text === b.text &&
    a.reasoning === b.reasoning &&
    a.state === b.state
  );
}
