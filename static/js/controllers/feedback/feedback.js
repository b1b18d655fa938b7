/** Telling the people who run the site of an answer. The dialog's part is fetched when it is first wanted. */

import { onDemand } from "../../lib/on_demand.js";
import { t } from "../../lib/words.js";

const dialog = onDemand("report_dialog");

/** @param {import("../chat/server_store.js").KeptChat} chat @param {number} messageId */
export async function report({ world, id, status, shelf }, messageId) {
  const module = await dialog();
  if (module) module.openReport({ world, status, shelf, conversationId: id, messageId });
  else status.hint(t("This could not be loaded. Check the connection, or reload the page."));
}
