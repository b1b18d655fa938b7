/**
 * Edits of questions in this tab. The text is kept until the server has it or the user discards it; one that was sent
 * keeps its key, so sending it unchanged does not duplicate it.
 */

import { isQuestionStored } from "./stored_conversation.js";

/** @typedef {import("../types.js").StoredSend} Body */

export class QuestionEdits {
  #shelf;

  /** @param {import("../browser/safe_storage.js").SafeStorage} shelf the tab's storage */
  constructor(shelf) {
    this.#shelf = shelf;
  }

  /** Return the edited text of a question; null if it is not being edited. @param {number} questionId */
  read(questionId) {
    return this.#read(questionId)?.text ?? null;
  }

  /** @param {number} questionId @param {string} text */
  write(questionId, text) {
    this.#write(questionId, { text, body: this.#read(questionId)?.body });
  }

  /**
   * Keep a request that is about to be sent.
   * @param {number} questionId
   * @param {Body} body
   * @returns {Body} the same, or the earlier one that it repeats
   */
  keep(questionId, body) {
    const earlier = this.#read(questionId)?.body;
    const isRepeated = earlier && JSON.stringify({ ...earlier, key: "" }) === JSON.stringify({ ...body, key: "" });
    const kept = isRepeated ? earlier : body;
    this.#write(questionId, { text: body.text ?? "", body: kept });
    return kept;
  }

  /** Forget an edit, because the server has it or the user discarded it. @param {number} questionId */
  forget(questionId) {
    this.#shelf.write(place(questionId), null);
  }

  /**
   * Return those of these turns' questions that are being edited; edits that have arrived are excluded.
   * @param {import("../api/conversations.js").StoredMessage[]} turns
   */
  findUnfinished(turns) {
    const questions = turns.filter(({ role }) => role === "user");
    return questions.map(({ id }) => id).filter((id) => {
      const found = this.#read(id);
      if (found?.body && isQuestionStored(found.body, turns)) this.forget(id);
      return this.read(id) !== null;
    });
  }

  /** @param {number} questionId @returns {{text: string, body?: Body} | null} */
  #read(questionId) {
    try {
      return JSON.parse(this.#shelf.read(place(questionId)) ?? "null");
    } catch {
      return null;
    }
  }

  /** @param {number} questionId @param {{text: string, body?: Body}} edit */
  #write(questionId, edit) {
    this.#shelf.write(place(questionId), JSON.stringify(edit));
  }
}

/** @param {number} questionId */
const place = (questionId) => `edit:${questionId}`;
