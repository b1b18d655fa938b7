/** Feedback on answers: rate them and report them. */

import { sendRating } from "../../api/rating.js";
import { onDemand } from "../../browser/on_demand.js";
import { t } from "../../lib/i18n.js";

/** @typedef {import("../../models/conversation.js").Exchange} Exchange */

const reportDialog = onDemand("report_dialog");

export class Feedback {
  #env;
  #status;
  #tabStorage;
  #conversation;

  /**
   * @param {object} parts
   * @param {import("../../browser/browser_env.js").BrowserEnv} parts.env
   * @param {import("../ui/status.js").Status} parts.status
   * @param {import("../../browser/safe_storage.js").SafeStorage} parts.tabStorage stores the text of an unsent report
   * @param {{readonly id: string}} conversation the conversation on the page
   */
  constructor({ env, status, tabStorage }, conversation) {
    this.#env = env;
    this.#status = status;
    this.#tabStorage = tabStorage;
    this.#conversation = conversation;
  }

  /**
   * @param {Exchange} exchange
   * @param {import("../../models/answer.js").Opinion} opinion
   * @returns {Promise<boolean>} whether it was stored
   */
  async rate({ answer }, opinion) {
    const error = await sendRating(this.#env, this.#conversation.id, answer.messageId, opinion);
    const thanks = opinion.value ? t("Thanks for your feedback.") : t("Feedback removed.");
    this.#status.hint(error?.message ?? thanks);
    return !error;
  }

  /** @param {Exchange} exchange */
  async report({ answer }) {
    const dialog = await reportDialog();
    if (!dialog) {
      this.#status.hint(t("Couldn't load this. Check your connection, or reload the page."));
      return;
    }
    dialog.openReport({
      env: this.#env,
      status: this.#status,
      tabStorage: this.#tabStorage,
      conversationId: this.#conversation.id,
      messageId: answer.messageId,
    });
  }
}
