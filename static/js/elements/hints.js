import { listenForNotifications } from "../api/notifications.js";

const PAUSE_MS = 300; // several hints make one look

/**
 * What happens in other tabs, and on other devices, is seen here.
 * @param {import("../browser/browser_env.js").BrowserEnv} env
 * @param {import("./chat.js").Chat} chat
 * @param {import("./sidebar.js").Sidebar} sidebar
 */
export function wireHints(env, chat, sidebar) {
  let isOurs = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  listenForNotifications(env, (hint) => {
    if (hint?.tab === env.tab || document.hidden) return; // a hidden tab looks when somebody comes back
    isOurs ||= !hint || hint.conversation === chat.id;
    timer ??= setTimeout(look, PAUSE_MS);
  });

  function look() {
    timer = undefined;
    sidebar.refresh();
    if (isOurs) chat.look();
    isOurs = false;
  }
}
