/** A temporary conversation, which only this tab keeps: each request contains all previous messages. */

import { Answer } from "./answer.js";
import { Conversation } from "./conversation.js";
import { imagesInTab } from "./tab_images.js";

/** @typedef {import("./conversation.js").Exchange} Exchange */
/**
 * @typedef {object} Saved
 * @property {number} version
 * @property {string} model
 * @property {{id: string, name: string} | null} [persona]
 * @property {number} forgotten
 * @property {{question: string, answer: import("./answer.js").SavedAnswer}[]} exchanges
 */

const VERSION = 1;
const MAX_STORED_LENGTH = 2 * 1024 * 1024;

export class TemporaryConversation extends Conversation {
  /** How many exchanges a reload could not restore. */
  forgotten = 0;
  model = "";
  /** @type {{id: string, name: string} | null} */
  persona = null;

  /**
   * Return the messages that request the answer of `exchange`. Empty or failed answers are included: the server tells
   * the model that there was none.
   * @param {Exchange} exchange
   * @returns {import("../types.js").ChatMessage[]}
   */
  messagesFor(exchange) {
    const before = this.exchanges.slice(0, this.exchanges.indexOf(exchange));
    const questions = [...before, exchange].map(({ question }) => question);
    const contents = imagesInTab()?.contentsOf(questions) ?? questions;
    return [...before.flatMap(({ answer }, place) => [asked(contents[place]), answered(answer)]), asked(contents[before.length])];
  }

  /** Return the newest exchanges, as many as fit, as text for the tab's storage. */
  serialise(maxLength = MAX_STORED_LENGTH) {
    const kept = [];
    let length = 0;
    for (const exchange of this.exchanges.toReversed()) {
      const json = JSON.stringify({ question: exchange.question, answer: exchange.answer });
      length += json.length;
      if (length > maxLength) break;
      kept.unshift(json);
    }
    const forgotten = this.forgotten + this.exchanges.length - kept.length;
    const head = JSON.stringify({ version: VERSION, model: this.model, persona: this.persona, forgotten }).slice(0, -1);
    return `${head},"exchanges":[${kept.join(",")}]}`;
  }

  /**
   * Return the conversation that `serialise` wrote; an empty one for anything else.
   * @param {string | null} text
   */
  static restore(text) {
    const conversation = new TemporaryConversation();
    try {
      /** @type {Saved} */
      const { version, model, persona = null, forgotten, exchanges } = JSON.parse(text ?? "");
      if (version !== VERSION) return conversation;
      conversation.exchanges = exchanges.map(({ question, answer }) => {
        return { question, askedAt: answer.askedAt, answer: Answer.fromJSON(answer) };
      });
      return Object.assign(conversation, { model, persona, forgotten });
    } catch {
      return new TemporaryConversation();
    }
  }
}

/** @param {import("../types.js").ChatMessage["content"]} content @returns {import("../types.js").ChatMessage} */
const asked = (content) => ({ role: "user", content });

/** @param {Answer} answer @returns {import("../types.js").ChatMessage} */
const answered = ({ text }) => ({ role: "assistant", content: text });
