/** Show beside the message box when a conversation fills up its model's context window. */

import { FrameScheduler } from "../../browser/frame_scheduler.js";
import { formatPercent } from "../../lib/formatting.js";
import { t } from "../../lib/i18n.js";
import { WARNING_FROM_SHARE, NOTICE_FROM_SHARE, estimateTokens, usedTokens } from "../../models/context_window.js";
import { showText } from "../ui/template_parts.js";

export class ContextGauge {
  #button;
  #count;
  #warning;
  #say;
  #scheduler = new FrameScheduler(() => this.#update());
  #models;
  #kept = 0; // tokens of the conversation
  #draft = "";

  /**
   * @param {HTMLElement} button
   * @param {HTMLElement} warning
   * @param {import("./model_picker.js").ModelPicker} models
   * @param {(words: string) => void} say
   * @param {AbortSignal} signal ends it
   */
  constructor(button, warning, models, say, signal) {
    this.#say = say;
    this.#models = models;
    models.onChange(() => this.#scheduler.schedule(), signal);
    this.#button = button;
    this.#warning = warning;
    const details = document.getElementById("gauge-details");
    this.#count = /** @type {HTMLElement} */ (details?.querySelector('[data-part="count"]'));
  }

  /** @param {import("../../models/conversation.js").Exchange[]} exchanges */
  conversation(exchanges) {
    this.#kept = usedTokens(exchanges);
    this.#scheduler.schedule();
  }

  /** @param {string} text */
  draft(text) {
    this.#draft = text;
    this.#scheduler.schedule();
  }

  #update() {
    const draft = estimateTokens(this.#draft);
    const tokens = this.#kept + draft;
    const { window } = this.#models;
    const part = window ? tokens / window : 0;
    const percent = formatPercent(Math.min(part, 1));
    this.#button.toggleAttribute("data-full", part >= WARNING_FROM_SHARE);
    showText(this.#button, part >= NOTICE_FROM_SHARE ? t("About {percent} full", { percent }) : "");
    const warning = part >= WARNING_FROM_SHARE ? warningOf(part, draft >= window) : "";
    if (warning && warning !== this.#warning.textContent) this.#say(warning);
    showText(this.#warning, warning);
    const figures = { tokens: rounded(tokens), window };
    this.#count.textContent = t("Uses about {tokens} of the {window} tokens in this model's context.", figures);
  }
}

/** @param {number} part @param {boolean} isAlone whether the message doesn't fit by itself */
function warningOf(part, isAlone) {
  if (isAlone) return t("Your message is too long for this model. Shorten it or choose another model.");
  if (part >= 1) return t("This exceeds the model's context. The oldest messages will be left out.");
  return t("This chat has almost filled the model's context. The oldest messages will soon be left out.");
}

/** Round to two significant digits. @param {number} tokens */
function rounded(tokens) {
  return Number(tokens.toPrecision(2));
}
