/** Handle shortcuts, wherever the focus is, unless the key has a meaning there. */

import { isComposing } from "../../browser/ime.js";
import { isMac } from "../../browser/platform.js";
import { commandForKey } from "../../models/shortcuts.js";

const FIELDS = "input, textarea, select, [contenteditable]";
const OPEN = "dialog[open], :popover-open:not(.tooltip)";
/** Without a command to run, the keys keep their usual meaning. */
const YIELDING = new Set(["stop", "undo"]);

/** @param {() => import("./commands.js").Command[]} commands */
export function wireKeyboardShortcuts(commands) {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || isComposing(event)) return;
    const isTyping = /** @type {Element} */ (event.target).closest?.(FIELDS) !== null;
    const id = commandForKey(event, { isMac: isMac(), isTyping });
    const command = commands().find((each) => each.id === id);
    if (!command || isElsewhere(id)) return;
    if (YIELDING.has(id) && !command.isOffered?.()) return;
    if (id === "undo" && isTyping) return;
    event.preventDefault();
    command.run();
  });
}

/** An open overlay handles its own keys; only the shortcut that closes it still works. @param {string} id */
function isElsewhere(id) {
  const open = document.querySelector(OPEN);
  return open !== null && open.id !== id;
}
