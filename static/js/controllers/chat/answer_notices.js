/**
 * Notify the user of an answer that is complete, or needs a permission, while the tab is in the background. Only if they
 * asked for it in the settings, and the browser allows it there. A notice never contains text of a chat.
 */

import { conversationUrl } from "../../api/urls.js";
import { canShowNotices, closeNotices, installNoticeWorker, showNotice } from "../../browser/notice_worker.js";
import { t } from "../../lib/i18n.js";
import { needsDecision } from "../../models/outcome.js";

/**
 * @param {Pick<import("./chat_controller.js").ChatController, "id" | "answers" | "subscribe">} chat
 * @param {boolean} withTitle name the chat
 * @returns {(hint: import("../../api/notifications.js").ChangeNotification | null) => void} gets what the server says: a
 *   tab that has been hidden for a while reads no stream
 */
export function wireAnswerNotices(chat, withTitle) {
  if (isAllowed()) installNoticeWorker();
  /** Chats that wait for an answer to this tab, which may show another one meanwhile. @type {Set<string>} */
  const waiting = new Set();
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) closeNotices(tag());
  });
  chat.subscribe({
    accepted: () => chat.id && waiting.add(chat.id),
    ended({ answer }) {
      waiting.delete(chat.id);
      if (answer.state !== "stopped") notify(answer.tools.some(needsDecision));
    },
  });
  return (hint) => {
    if (hint?.kind !== "answer" && hint?.kind !== "permission") return;
    const id = hint.conversation;
    if (id === chat.id ? chat.answers.isRunning : waiting.delete(id)) notify(hint.kind === "permission", id);
  };

  /** @param {boolean} asksPermission @param {string} id of its chat */
  function notify(asksPermission, id = chat.id) {
    if (!document.hidden || !isAllowed()) return;
    const isShown = id === chat.id;
    const path = isShown ? location.pathname : conversationUrl(id);
    const heading = asksPermission ? t("Your permission is needed") : t("Your answer is ready");
    const name = document.querySelector(isShown ? "#chat-head [data-part=name]" : `#sidebar a[href="${path}"]`);
    showNotice({ heading, body: withTitle ? (name?.textContent?.trim() ?? "") : "", tag: tag(id), path });
  }

  /** Two tabs show one notice. */
  function tag(id = chat.id) {
    return id || "answer";
  }
}

const isAllowed = () => canShowNotices() && Notification.permission === "granted";
