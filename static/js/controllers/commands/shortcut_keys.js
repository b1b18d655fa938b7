/** Show the keys of a shortcut. */

import { isMac } from "../../browser/platform.js";
import { findShortcut, keyLabels } from "../../models/shortcuts.js";

/**
 * Return the keys for a button's tooltip. The keys for the last answer stand on its own button only.
 * @param {HTMLElement} button names the command that it runs
 */
export function keysOfCommand(button) {
  const shortcut = findShortcut(button.dataset.command ?? "");
  const isOlder = button.closest(".exchange:not(:last-child)") !== null;
  return shortcut && !isOlder ? keysElement(shortcut) : null;
}

/** @param {import("../../models/shortcuts.js").Shortcut} shortcut */
export function keysElement(shortcut) {
  const keys = document.createElement("span");
  keys.className = "keys";
  keys.dir = "ltr";
  for (const key of keyLabels(shortcut, isMac())) {
    const element = document.createElement("kbd");
    element.textContent = key;
    keys.append(element);
  }
  return keys;
}
