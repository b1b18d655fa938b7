import { moment } from "../models/figures.js";
import { PlainText } from "../stream/plain_text.js";
import { wireCopy } from "./copy_button.js";
import { copyOf } from "./parts.js";

/**
 * @param {import("../models/exchanges.js").Exchange} exchange
 * @param {import("./status.js").Status} status
 * @returns {HTMLElement}
 */
export function questionElement(exchange, status) {
  const { root, parts } = copyOf("question-template");
  new PlainText(parts.words).append(exchange.question);
  parts.time.textContent = moment(exchange.askedAt);
  wireCopy(parts.copy, () => exchange.question, status);
  return root;
}
