import { listen } from "../../stream/hints.js";

const PAUSE_MS = 300; // several hints make one look

/**
 * What happens in other tabs, and on other devices, is seen here.
 * @param {import("../../stream/connection.js").World} world
 * @param {import("./chat_controller.js").Chat} chat
 * @param {import("../sidebar/sidebar.js").Sidebar} sidebar
 */
export function wireNotifications(world, chat, sidebar) {
  let isOurs = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  listen(world, (hint) => {
    if (hint?.tab === world.tab || document.hidden) return; // a hidden tab looks when somebody comes back
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
