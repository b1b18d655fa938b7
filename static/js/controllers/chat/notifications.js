import { listenForNotifications } from "../../api/notifications.js";

const PAUSE_MS = 300; // several hints make one look

/**
 * Show changes that happen in other tabs and on other devices.
 * @param {import("../../browser/browser_env.js").BrowserEnv} env
 * @param {import("../sidebar/sidebar.js").Sidebar} sidebar
 * @param {import("./chat_controller.js").ChatController} chat
 * @param {() => void} [look] for news of the chat, where other tabs can have any
 */
export function wireNotifications(env, sidebar, chat, look) {
  let isOurs = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  listenForNotifications(env, (hint) => {
    if (hint?.tab === env.tab || document.hidden) return; // a hidden tab looks when somebody comes back
    isOurs ||= !hint || hint.conversation === chat.id;
    timer ??= setTimeout(lookAround, PAUSE_MS);
  });

  function lookAround() {
    timer = undefined;
    sidebar.refresh();
    if (isOurs) look?.();
    isOurs = false;
  }
}
