import { moment } from "../models/figures.js";
import { PlainText } from "../stream/plain_text.js";
import { wireCopy } from "./copy_button.js";
import { copyOf } from "./parts.js";

/** @typedef {import("../models/exchanges.js").Exchange} Exchange */

/**
 * @param {Exchange} exchange
 * @param {import("./status.js").Status} status
 * @returns {HTMLElement}
 */
export function questionElement({ question, askedAt }, status) {
  const { root, parts } = copyOf("question-template");
  new PlainText(parts.words).append(question);
  parts.time.textContent = moment(askedAt);
  wireCopy(parts.copy, () => question, status);
  return root;
}
