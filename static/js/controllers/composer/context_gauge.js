/** Shows, beside the message box, when a conversation begins to fill what its model can read. */

import { t } from "../../lib/words.js";
import { share } from "../../models/figures.js";
import { NEARLY_FULL, WORTH_SAYING, estimateTokens, tokensOf } from "../../models/window_gauge.js";
import { Batch } from "../../stream/batch.js";
import { show } from "../ui/template_parts.js";

export class ContextGauge {
  #button;
  #count;
  #warning;
  #say;
  #batch = new Batch(() => this.#update());
  #models;
  #kept = 0; // tokens of the conversation
  #draft = "";

  /**
   * @param {HTMLElement} button
   * @param {HTMLElement} warning
   * @param {import("./model_picker.js").ModelPicker} models
   * @param {(words: string) => void} say
   */
  constructor(button, warning, models, say) {
    this.#say = say;
    this.#models = models;
    models.onChange(() => this.#batch.ask());
    this.#button = button;
    this.#warning = warning;
    const details = document.getElementById("gauge-details");
    this.#count = /** @type {HTMLElement} */ (details?.querySelector('[data-part="count"]'));
  }

  /** @param {import("../../models/exchanges.js").Exchange[]} exchanges */
  conversation(exchanges) {
    this.#kept = tokensOf(exchanges);
    this.#batch.ask();
  }

  /** @param {string} text */
  draft(text) {
    this.#draft = text;
    this.#batch.ask();
  }

  #update() {
    const tokens = this.#kept + estimateTokens(this.#draft);
    const { window } = this.#models;
    const part = window ? tokens / window : 0;
    const percent = share(Math.min(part, 1));
    this.#button.toggleAttribute("data-full", part >= NEARLY_FULL);
    show(this.#button, part >= WORTH_SAYING ? t("About {percent} full", { percent }) : "");
    const warning = part >= NEARLY_FULL ? warningOf(part) : "";
    if (warning && warning !== this.#warning.textContent) this.#say(warning);
    show(this.#warning, warning);
    const figures = { tokens: rounded(tokens), window };
    this.#count.textContent = t("About {tokens} of the {window} tokens that this model can read.", figures);
  }
}

/** @param {number} part */
function warningOf(part) {
  if (part >= 1) return t("This is more than the model can read: the oldest messages will be left out.");
  return t("This conversation nearly fills what the model can read. Soon the oldest messages will be left out.");
}

/** Two figures say enough. @param {number} tokens */
function rounded(tokens) {
  return Number(tokens.toPrecision(2));
}
