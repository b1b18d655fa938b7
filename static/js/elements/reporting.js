/** Telling the people who run the site of an answer. The dialog's part is fetched when it is first wanted. */

import { onDemand } from "../browser/on_demand.js";
import { t } from "../lib/i18n.js";

const dialog = onDemand("report");

/** @param {import("./kept_chat.js").KeptChat} chat @param {number} messageId */
export async function report({ env, id, status, shelf }, messageId) {
  const module = await dialog();
  if (module) module.openReport({ env, status, shelf, conversationId: id, messageId });
  else status.hint(t("This could not be loaded. Check the connection, or reload the page."));
}
