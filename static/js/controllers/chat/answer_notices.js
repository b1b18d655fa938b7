/**
 * Notify the user of an answer that is complete while the tab is in the background. Only if they asked for it in the
 * settings, and the browser allows it there. A notice never contains text of a chat.
 */

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
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) closeNotices(tag());
  });
  chat.subscribe({
    ended({ answer }) {
      if (answer.state !== "stopped") notify(answer.tools.some(needsDecision));
    },
  });
  return (hint) => {
    if (hint?.kind === "answer" && hint.conversation === chat.id && chat.answers.isRunning) notify();
  };

  function notify(asksPermission = false) {
    if (!document.hidden || !isAllowed()) return;
    const title = withTitle ? (document.querySelector("#chat-head [data-part=name]")?.textContent ?? "") : "";
    showNotice({ heading: asksPermission ? t("Your permission is needed") : t("Your answer is ready"), body: title, tag: tag(), path: location.pathname });
  }

  /** Two tabs show one notice. */
  function tag() {
    return chat.id || "answer";
  }
}

const isAllowed = () => canShowNotices() && Notification.permission === "granted";
