/** Telling the people who run the site of an answer. The dialog's part is fetched when it is first wanted. */

import { onDemand } from "../lib/on_demand.js";
import { t } from "../lib/words.js";

const dialog = onDemand("report");

/** @param {import("./kept_chat.js").KeptChat} chat @param {number} messageId */
export async function report({ world, id, status, shelf }, messageId) {
  const module = await dialog();
  if (module) module.openReport({ world, status, shelf, conversationId: id, messageId });
  else status.hint(t("Couldn't load this. Check your connection, or reload the page."));
}
