import { moment } from "../models/figures.js";
import { PlainText } from "../stream/plain_text.js";
import { wireCopy } from "./copy_button.js";
import { copyOf, partsOf } from "./parts.js";

/** @typedef {import("../models/exchanges.js").Exchange} Exchange */

/** @param {Exchange} exchange @returns {HTMLElement} */
export function questionElement({ question }) {
  const { root, parts } = copyOf("question-template");
  parts.words.textContent = question;
  return root;
}

/**
 * @param {HTMLElement} root of a question that stands there as plain text
 * @param {Exchange} exchange
 * @param {import("./status.js").Status} status
 */
export function wireQuestion(root, { question, askedAt }, status) {
  const parts = partsOf(root);
  const words = new PlainText(parts.words);
  words.clear();
  words.append(question);
  parts.time.textContent = moment(askedAt);
  wireCopy(parts.copy, () => question, status);
}
