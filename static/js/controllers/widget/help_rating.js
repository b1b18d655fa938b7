/** Ask a visitor how the help of a person was, once that person has left. */

import { t } from "../../lib/i18n.js";

export class HelpRating {
  #box;
  #visit;
  #chat;
  #takeover = 0;

  /**
   * @param {HTMLFormElement} box
   * @param {import("../../api/widget_session.js").WidgetSession} visit
   * @param {import("../chat/chat_controller.js").ChatController} chat
   */
  constructor(box, visit, chat) {
    this.#box = box;
    this.#visit = visit;
    this.#chat = chat;
    box.addEventListener("submit", (event) => {
      event.preventDefault();
      const value = Number(/** @type {HTMLButtonElement} */ (event.submitter).value);
      this.#send(value);
    });
  }

  /** @param {import("../../api/widget_session.js").PersonStatus} found */
  show({ to_rate }) {
    if (to_rate === this.#takeover) return;
    this.#takeover = to_rate;
    this.#box.reset();
    this.#box.hidden = !to_rate;
  }

  /** @param {number} value */
  async #send(value) {
    const comment = String(new FormData(this.#box).get("comment") ?? "").trim();
    try {
      await this.#visit.rateHelp(this.#chat.id, { takeover: this.#takeover, value, comment });
      this.#box.hidden = true;
      this.#chat.status.hint(t("Thank you for your rating."));
      this.#chat.composer.focus();
    } catch (error) {
      this.#chat.status.hintError(/** @type {Error} */ (error));
    }
  }
}
