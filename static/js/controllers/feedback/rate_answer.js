import { sendRating } from "../../api/rating.js";
import { t } from "../../lib/i18n.js";

/**
 * Store a rating of an answer, and say so.
 * @param {{env: import("../../browser/browser_env.js").BrowserEnv, status: import("../ui/status.js").Status}} parts
 * @param {string} conversationId
 * @param {import("../../models/conversation.js").Exchange} exchange
 * @param {import("../../models/answer.js").Opinion} opinion
 * @returns {Promise<boolean>} whether it was stored
 */
export async function rateAnswer({ env, status }, conversationId, { answer }, opinion) {
  const error = await sendRating(env, conversationId, answer.messageId, opinion);
  const thanks = opinion.value ? t("Thanks for your feedback.") : t("Feedback removed.");
  status.hint(error?.message ?? thanks);
  return !error;
}
