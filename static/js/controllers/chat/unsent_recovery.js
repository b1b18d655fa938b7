import { findConversationOfSend } from "../../api/conversations.js";

/**
 * Find out whether a message that was being sent when its page was closed has been stored; if so, remove it from the
 * drafts.
 * @param {import("./chat_controller.js").ChatController} chat
 * @param {import("./server_store.js").ServerStore} store
 * @param {import("../../browser/browser_env.js").BrowserEnv} env
 * @returns {Promise<string>} the conversation that stores it; "" if none does
 */
export async function findStoredSend(chat, store, env) {
  const key = store.outbox.unsentKey;
  const id = key && (await findConversationOfSend(env, key));
  const { outbox } = store; // the page may show another conversation by now
  if (!id || chat.answers.isRunning || outbox.unsentKey !== key) return "";
  outbox.arrived();
  if (chat.composer.text !== outbox.draft) chat.composer.text = outbox.draft;
  return id;
}
