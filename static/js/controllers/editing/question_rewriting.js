/** Edit questions in place; where drafts are stored, edits survive a reload. */

import { loadTurnTools } from "./load_turn_tools.js";

/** @typedef {import("../../models/conversation.js").Exchange} Exchange */

export class QuestionRewriting {
  #transcript;
  #status;
  #sendsOnEnter;
  #edits;
  #save;

  /**
   * @param {object} parts
   * @param {import("../transcript/transcript.js").Transcript} parts.transcript
   * @param {import("../ui/status.js").Status} parts.status
   * @param {boolean} parts.sendsOnEnter
   * @param {import("../../models/question_edits.js").QuestionEdits | null} parts.edits
   * @param {(exchange: Exchange, text: string) => boolean} save sends the text; returns whether it was sent
   */
  constructor({ transcript, status, sendsOnEnter, edits }, save) {
    this.#transcript = transcript;
    this.#status = status;
    this.#sendsOnEnter = sendsOnEnter;
    this.#edits = edits;
    this.#save = save;
  }

  /**
   * Open the editor of a question.
   * @param {Exchange} exchange
   * @param {string} [text]
   * @param {{problem?: string | undefined, isAsked?: boolean}} [why] what went wrong; whether the editor gets the focus
   */
  async open(exchange, text = exchange.question, { problem = "", isAsked = true } = {}) {
    const tools = await loadTurnTools(this.#status);
    const question = this.#transcript.questionOf(exchange);
    if (!tools || !question) return;
    tools.openEditor(question, text, {
      problem,
      isAsked,
      sendsOnEnter: this.#sendsOnEnter,
      written: (written) => this.#keep(exchange, written),
      save: (written) => this.#save(exchange, written),
    });
  }

  /**
   * Reopen the editors of these questions, with the edited text.
   * @param {Exchange[]} exchanges
   * @param {number[]} ids
   */
  reopen(exchanges, ids) {
    for (const exchange of exchanges) {
      const { questionId = 0, question } = exchange;
      if (!ids.includes(questionId)) continue;
      this.open(exchange, this.#edits?.read(questionId) ?? question, { isAsked: false });
    }
  }

  /** @param {Exchange} exchange @param {string | null} text null if the question is no longer being edited */
  #keep({ questionId = 0 }, text) {
    if (text === null) this.#edits?.forget(questionId);
    else this.#edits?.write(questionId, text);
  }
}
