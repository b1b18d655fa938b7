/** A question on the page, with the actions that the page's template includes. */

import { PlainTextWriter } from "../../browser/plain_text_writer.js";
import { formatMoment } from "../../lib/formatting.js";
import { wireCopy } from "../ui/copy_button.js";
import { cloneTemplate } from "../ui/template_parts.js";
import { findSwitcher } from "./version_switcher.js";

/** @typedef {import("../../models/conversation.js").Exchange} Exchange */
/**
 * @typedef {import("./version_switcher.js").VersionParts & {
 *   text: HTMLElement, time?: HTMLElement, copy?: HTMLElement, edit?: HTMLElement,
 * }} QuestionParts
 */

export class QuestionView {
  root;
  #exchange;
  #versions;

  /**
   * @param {Exchange} exchange
   * @param {import("../ui/status.js").Status} status
   * @param {{edit: () => void, version: (id: number) => void}} actions
   */
  constructor(exchange, status, actions) {
    const { root, parts } = /** @type {{root: HTMLElement, parts: QuestionParts}} */ (cloneTemplate("question-template"));
    this.root = root;
    this.#exchange = exchange;
    this.#versions = findSwitcher(parts, actions.version);
    new PlainTextWriter(parts.text).append(exchange.question);
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
