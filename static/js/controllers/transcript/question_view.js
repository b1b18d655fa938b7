/** A question on the page, with the actions that the page's template includes. */

import { PlainTextWriter } from "../../browser/plain_text_writer.js";
import { formatMoment } from "../../lib/formatting.js";
import { t } from "../../lib/i18n.js";
import { isLong } from "../../lib/long_text.js";
import { splitFiles } from "../../lib/text_files.js";
import { wireCopy } from "../ui/copy_button.js";
import { cloneTemplate } from "../ui/template_parts.js";
import { attachmentsElement } from "./attachment_view.js";
import { findSwitcher } from "./version_switcher.js";

/** @typedef {import("../../models/conversation.js").Exchange} Exchange */
/**
 * @typedef {import("./version_switcher.js").VersionParts & {
 *   text: HTMLElement, time?: HTMLElement, copy?: HTMLElement, edit?: HTMLElement, unfold?: HTMLElement,
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
    const { text, files } = splitFiles(exchange.question);
    new PlainTextWriter(parts.text).append(text.trimEnd());
    parts.text.hidden = !text;
    if (files.length) (parts.unfold ?? parts.text).after(attachmentsElement(files));
    this.root.toggleAttribute("data-long", isLong(text));
    if (parts.unfold) wireUnfold(parts.unfold, this.root, isLong(text));
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

/** @param {HTMLElement} button @param {HTMLElement} question @param {boolean} isFolded */
function wireUnfold(button, question, isFolded) {
  button.hidden = !isFolded;
  button.addEventListener("click", () => {
    const isOpen = question.toggleAttribute("data-unfolded");
    button.ariaExpanded = String(isOpen);
    button.textContent = isOpen ? t("Show less") : t("Show more");
  });
}
