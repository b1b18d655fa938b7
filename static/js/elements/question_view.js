/** A question on the page, with what can be done about it as far as the page's template has it. */

import { formatMoment } from "../lib/formatting.js";
import { PlainTextWriter } from "../browser/plain_text_writer.js";
import { wireCopy } from "./copy_button.js";
import { copyOf } from "./parts.js";
import { Versions } from "./versions.js";

/** @typedef {import("../models/conversation.js").Exchange} Exchange */

export class QuestionView {
  root;
  #exchange;
  #versions;

  /**
   * @param {Exchange} exchange
   * @param {import("./status.js").Status} status
   * @param {{edit: () => void, version: (id: number) => void}} actions
   */
  constructor(exchange, status, actions) {
    const { root, parts } = copyOf("question-template");
    this.root = root;
    this.#exchange = exchange;
    this.#versions = parts.versions && new Versions(parts, actions.version);
    new PlainTextWriter(parts.words).append(exchange.question);
    if (parts.time) parts.time.textContent = formatMoment(exchange.askedAt);
    if (parts.copy) wireCopy(parts.copy, () => exchange.question, status);
    parts.edit?.addEventListener("click", actions.edit);
    this.root.toggleAttribute("data-hidden", Boolean(exchange.isHidden));
    this.versionsChanged();
  }

  versionsChanged() {
    this.#versions?.show(this.#exchange.versions, this.#exchange.questionId);
  }
}
