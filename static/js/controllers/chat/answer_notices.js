/**
 * Notify the user of an answer that is complete while the tab is in the background. Only if they asked for it in the
 * settings, and the browser allows it there. A notice never contains text of a chat.
 */

import { t } from "../../lib/i18n.js";

/**
 * @param {Pick<import("./chat_controller.js").ChatController, "id" | "answers" | "subscribe">} chat
 * @param {boolean} withTitle name the chat
 * @returns {(hint: import("../../api/notifications.js").ChangeNotification | null) => void} gets what the server says: a
 *   tab that has been hidden for a while reads no stream
 */
export function wireAnswerNotices(chat, withTitle) {
  chat.subscribe({
    ended({ answer }) {
      if (answer.state !== "stopped") notify();
    },
  });
  return (hint) => {
    if (hint?.kind === "answer" && hint.conversation === chat.id && chat.answers.isRunning) notify();
  };

  function notify() {
    if (!document.hidden || !("Notification" in window) || Notification.permission !== "granted") return;
    const title = withTitle ? (document.querySelector("#chat-head [data-part=name]")?.textContent ?? "") : "";
    show(t("Your answer is ready"), { body: title, tag: chat.id || "answer" }); // two tabs show one notice
  }
}

/** @param {string} heading @param {NotificationOptions} options */
function show(heading, options) {
  try {
    const notice = new Notification(heading, options);
    notice.onclick = () => {
      window.focus();
      notice.close();
    };
  } catch {
    // Chrome on Android has the constructor, but only service workers may use it.
  }
}
