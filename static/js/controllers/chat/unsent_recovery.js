import { findConversationOfSend } from "../../api/conversations.js";

/**
 * Find out where a message arrived that was being sent when its page was closed; then it is no draft any more.
 * @param {import("./chat_controller.js").ChatController} chat
 * @param {import("./server_store.js").ServerStore} store
 * @param {import("../../browser/browser_env.js").BrowserEnv} env
 * @returns {Promise<string>} the conversation; "" where nobody knows of it
 */
export async function findStoredSend(chat, store, env) {
  const key = store.outbox.unsentKey;
  const id = key && (await findConversationOfSend(env, key));
  const { outbox } = store; // by now it may be another conversation's
  if (!id || chat.answers.isRunning || outbox.unsentKey !== key) return "";
  outbox.arrived();
  if (chat.composer.text !== outbox.draft) chat.composer.text = outbox.draft;
  return id;
}
