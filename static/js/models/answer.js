/**
 * The model of one answer: fed with the payloads of its stream, it holds the text and the result. Pure; takes the
 * clock.
 *
 * States: `waiting` → `streaming` → the server's `complete`, `stopped`, `interrupted`, `failed`. An error before an
 * answer (signed out, too long, no network) ends in `failed` or, if there is text already, in `interrupted`.
 */

import { countCodePoints } from "../lib/code_points.js";

/** @typedef {import("../types.js").AnswerPayload} AnswerPayload */
/** @typedef {import("../types.js").AnswerState} AnswerState */
/** @typedef {import("../types.js").Opinion} Opinion */
/** @typedef {import("../types.js").Problem} Problem */
/** @typedef {import("../types.js").Timing} Timing */
/** @typedef {import("../types.js").Usage} Usage */
/** @typedef {Pick<Answer, typeof KEPT[number]>} SavedAnswer as a tab remembers it over a reload */

/** @type {Set<AnswerState>} */
const TERMINAL = new Set(["complete", "stopped", "interrupted", "failed", "awaiting_staff"]);
const KEPT = /** @type {const} */ ([
  "text", "reasoning", "reasoningSeconds", "state", "model", "insteadOf", "omitted", "usage", "timing",
  "finishReason", "effort", "toolNames", "tools", "sources", "problem", "wasTaken", "generationId", "lastEventId", "askedAt",
]); // prettier-ignore

export class Answer {
  text = "";
  reasoning = "";
  /** @type {number | null} how long the model reasoned, once that is over */
  reasoningSeconds = null;
  state = /** @type {AnswerState} */ ("waiting");
  model = "";
  insteadOf = "";
  omitted = 0;
  /** @type {Usage | null} */
  usage = null;
  /** @type {Timing | null} */
  timing = null;
  /** @type {Opinion | null} */
  rating = null;
  finishReason = "";
  /** The reasoning effort of the request; "" if none was set. */
  effort = "";
  /** @type {string[]} */
  toolNames = [];
  /** @type {import("../types.js").Tool[]} calls of the site's tools, in their order */
  tools = [];
  /** @type {import("../types.js").Source[] | null} passages of documents that it may cite; null if it is not based on any */
  sources = null;
  /** Of the chat up to this answer, which models get in place of it. */
  summary = "";
  /** @type {string[]} what could be asked next */
  followUps = [];
  /** @type {import("../types.js").Pair | null} the pair in which it is compared with another answer */
  pair = null;
  /** Nothing in the website's documents is about the question. */
  isUnanswered = false;
  /** @type {Problem | null} */
  problem = null;
  isByPerson = false;
  personName = ""; // if visitors may know it
  personPicture = ""; // its name, below the frame's address
  wasTaken = false; // by the server
  messageId = 0; // its ID on the server; 0 in a temporary chat, and before it is stored
  /** @type {number[]} the message IDs of all answers to the question, oldest first */
  versions = [];
  /** Hidden by staff: the text is a notice, not the original. */
  isHidden = false;
  /** Set while the server may have more of this answer. */
  generationId = "";
  lastEventId = "";
  askedAt = 0;
  /** Whether the page is reconnecting; says nothing about the answer. */
  connectionLost = false;
  #base = { text: "", reasoning: "" }; // the text before it was continued
  #reasoningSince = 0;
  #now;

  /**
   * @param {string} model
   * @param {() => number} [now] milliseconds
   */
  constructor(model, now = Date.now) {
    this.model = model;
    this.#now = now;
    this.askedAt = now();
  }

  get isOver() {
    return TERMINAL.has(this.state);
  }

  get secondsSinceAsked() {
    return (this.#now() - this.askedAt) / 1000;
  }

  /** How long the model has been reasoning so far. */
  get thinkingSeconds() {
    const since = this.#reasoningSince || this.#now();
    return (this.#now() - since) / 1000 + (this.reasoningSeconds ?? 0);
  }

  /** Record that the server has stored the question. @param {{generationId: string, messageId?: number}} place */
  accept({ generationId, messageId = 0 }) {
    this.wasTaken = true;
    this.generationId = generationId;
    this.messageId = messageId;
    if (!generationId && !messageId) this.state = "awaiting_staff";
  }

  /** Prepare to continue the answer after its current text, which is not announced again. */
  proceed() {
    this.#base = { text: this.text, reasoning: this.reasoning };
    this.askedAt = this.#now();
    this.problem = null;
    this.sources = null;
    this.state = "waiting";
  }

  /** @param {AnswerPayload} payload */
  apply(payload) {
    if (payload.reasoning) this.#think(payload.reasoning);
    if (payload.response) this.#say(payload.response);
    if (payload.tool) this.#step(payload.tool);
    if (payload.sources) this.sources = [...(this.sources ?? []), ...payload.sources];
    if (payload.unanswered) this.isUnanswered = true;
    if (payload.omitted_messages) this.omitted = payload.omitted_messages;
    if (payload.model) this.model = payload.model;
    if (payload.instead_of) this.insteadOf = payload.instead_of;
    if (payload.error) this.problem = payload.error;
    if (payload.state && TERMINAL.has(payload.state)) this.#end(payload, payload.state);
  }

  /** Record that the answer, or the rest of it, could not be loaded. @param {Problem} problem */
  fail(problem) {
    this.#stopThinking();
    const { code, message, retryable, reason, retryAfterSeconds } = problem;
    this.problem = { code, message, retryable, reason, retryAfterSeconds };
    this.state = this.text ? "interrupted" : "failed";
    if (problem.code === "gone") this.generationId = "";
  }

  /** Resume its stream, after the current text or before the first word. */
  resume() {
    this.problem = null;
    const hasBegun = this.text !== this.#base.text || this.reasoning !== this.#base.reasoning;
    this.state = hasBegun ? "streaming" : "waiting";
  }

  /** Discard the stream's text, because the stream starts from the beginning again. */
  rewind() {
    Object.assign(this, this.#base, { reasoningSeconds: null, lastEventId: "", sources: null });
    this.resume();
  }

  toJSON() {
    return Object.fromEntries(KEPT.map((key) => [key, this[key]]));
  }

  /** @param {SavedAnswer} json */
  static fromJSON(json) {
    const answer = new Answer(json.model);
    for (const key of KEPT) if (json[key] !== undefined) Object.assign(answer, { [key]: json[key] });
    return answer;
  }

  /** @param {string} piece */
  #think(piece) {
    this.#reasoningSince ||= this.#now();
    this.reasoning += piece;
    if (this.state === "waiting") this.state = "streaming";
  }

  /** @param {string} piece */
  #say(piece) {
    this.#stopThinking();
    this.text += piece;
    this.state = "streaming";
  }

  /** @param {import("../types.js").Tool} tool */
  #step(tool) {
    const known = this.tools.findIndex(({ id }) => id === tool.id);
    this.tools.splice(known < 0 ? this.tools.length : known, 1, tool);
    if (this.state === "waiting") this.state = "streaming";
  }

  #stopThinking() {
    if (!this.#reasoningSince) return;
    this.reasoningSeconds = this.thinkingSeconds;
    this.#reasoningSince = 0;
  }

  /** @param {AnswerPayload} payload @param {AnswerState} state */
  #end(payload, state) {
    this.#stopThinking();
    // If the length differs from the server's, text is missing: keep the ID, so that the answer is read again.
    if (payload.length === undefined || payload.length === countCodePoints(this.text)) this.generationId = "";
    this.state = state;
    this.finishReason = payload.finish_reason ?? "";
    this.usage = payload.usage ?? null;
    this.timing = payload.timing ?? null;
    this.toolNames = (payload.tool_calls ?? []).map(({ name }) => name);
  }
}
