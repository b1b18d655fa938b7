/**
 * A chat on another website. The server stores it like a member's; a visitor sees one branch of it, in a frame that may
 * be closed at any moment: an unsent message is restored when the frame opens again.
 */

import { Outbox } from "../../models/outbox.js";
import { StoredConversation } from "../../models/stored_conversation.js";
import { ChatController } from "../chat/chat_controller.js";
import { EarlierTurns } from "../chat/earlier_turns.js";
import { ServerStore } from "../chat/server_store.js";
import { rateAnswer } from "../feedback/rate_answer.js";
import { reportAnswer } from "../feedback/report_answer.js";
import { ConversationSwitcher } from "./conversation_switcher.js";

/**
 * @typedef {import("../chat/chat_controller.js").ChatParts & {
 *   tabStorage: import("../../browser/safe_storage.js").SafeStorage,
 *   earlier: HTMLElement,
 * }} VisitorChatParts
 */

/**
 * @param {VisitorChatParts} parts whose env is the visitor's
 * @param {import("../../api/widget_session.js").WidgetSession} visit
 * @param {(type: "message" | "error", more: {role?: string, code?: string}) => void} tell sends an event to the website
 * @param {() => object | null} context returns what the website says about its page
 */
export function createVisitorChat(parts, visit, tell, context) {
  const { models, tabStorage } = parts;
  const store = new ServerStore({
    env: parts.env,
    models,
    conversation: new StoredConversation(),
    outbox: new Outbox(tabStorage, ""),
    sendsModel: false,
    besides() {
      const known = context();
      return known && { context: known };
    },
  });
  const chat = new ChatController(parts, store, {
    rate: (exchange, opinion) => rateAnswer(parts, store.id, exchange, opinion),
    report: (exchange) => reportAnswer(parts, store.id, exchange),
  });
  const earlier = new EarlierTurns(parts.earlier, chat, store, (id) => visit.conversation(store.id, id));
  const conversations = new ConversationSwitcher({ chat, store, earlier, visit, tabStorage });
  chat.subscribe({
    accepted: () => tell("message", { role: "user" }),
    ended({ answer: { problem, text } }) {
      if (problem) tell("error", { code: problem.code });
      if (text) tell("message", { role: "assistant" });
    },
  });
  return { chat, store, conversations };
}
