/** What somebody thinks of an answer: rating it, and telling the people who run the site of it. */

import { onDemand } from "../../lib/on_demand.js";
import { t } from "../../lib/words.js";
import { sendRating } from "../../stream/rating.js";

/** @typedef {import("../../models/exchanges.js").Exchange} Exchange */

const reportDialog = onDemand("report_dialog");

export class Feedback {
  #world;
  #status;
  #tabStorage;
  #conversation;

  /**
   * @param {object} parts
   * @param {import("../../stream/connection.js").World} parts.world
   * @param {import("../ui/status.js").Status} parts.status
   * @param {import("../../lib/shelf.js").Shelf} parts.tabStorage keeps what is typed of a report
   * @param {{readonly id: string}} conversation the one that is shown
   */
  constructor({ world, status, tabStorage }, conversation) {
    this.#world = world;
    this.#status = status;
    this.#tabStorage = tabStorage;
    this.#conversation = conversation;
  }

  /**
   * @param {Exchange} exchange
   * @param {import("../../models/answer.js").Opinion} opinion
   * @returns {Promise<boolean>} whether it is kept
   */
  async rate({ answer }, opinion) {
    const error = await sendRating(this.#world, this.#conversation.id, answer.messageId, opinion);
    const thanks = opinion.value ? t("Thank you. Your opinion is kept.") : t("Your opinion is taken back.");
    this.#status.hint(error?.message ?? thanks);
    return !error;
  }

  /** @param {Exchange} exchange */
  async report({ answer }) {
    const dialog = await reportDialog();
    if (!dialog) {
      this.#status.hint(t("This could not be loaded. Check the connection, or reload the page."));
      return;
    }
    dialog.openReport({
      world: this.#world,
      status: this.#status,
      shelf: this.#tabStorage,
      conversationId: this.#conversation.id,
      messageId: answer.messageId,
    });
  }
}
