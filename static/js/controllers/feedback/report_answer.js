import { onDemand } from "../../browser/on_demand.js";

const reportDialog = onDemand("report_dialog");

/**
 * Open the dialog that reports an answer.
 * @param {object} parts
 * @param {import("../../browser/browser_env.js").BrowserEnv} parts.env
 * @param {import("../ui/status.js").Status} parts.status
 * @param {import("../../browser/safe_storage.js").SafeStorage} parts.tabStorage stores the text of an unsent report
 * @param {string} conversationId
 * @param {import("../../models/conversation.js").Exchange} exchange
 */
export async function reportAnswer({ env, status, tabStorage }, conversationId, { answer: { messageId } }) {
  const dialog = await reportDialog();
  if (dialog) dialog.openReport({ env, status, tabStorage, conversationId, messageId });
  else status.hintNotLoaded();
}
