import { listenForNotifications } from "../../api/notifications.js";

const PAUSE_MS = 300; // several notifications cause one check

/**
 * Show changes that happen in other tabs and on other devices.
 * @param {import("../../browser/browser_env.js").BrowserEnv} env
 * @param {import("../sidebar/sidebar.js").Sidebar} sidebar
 * @param {Pick<import("./chat_controller.js").ChatController, "id">} chat
 * @param {(isSuggestion?: boolean) => void} refresh checks the chat for changes that other tabs have made, or only for suggested questions
 * @param {(hint: import("../../api/notifications.js").ChangeNotification | null) => void} [heard] gets each, also while hidden
 */
export function wireNotifications(env, sidebar, chat, refresh, heard) {
  let isOurs = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  listenForNotifications(env, (hint) => {
    heard?.(hint);
    if (hint?.tab === env.tab || document.hidden) return; // a hidden tab checks when the user returns
    const isHere = !hint || hint.conversation === chat.id;
    if (hint?.kind === "follow_ups") {
      if (isHere) refresh(true);
      return;
    }
    isOurs ||= isHere;
    timer ??= setTimeout(lookAround, PAUSE_MS);
  });

  function lookAround() {
    timer = undefined;
    sidebar.refresh();
    if (isOurs) refresh();
    isOurs = false;
  }
}
