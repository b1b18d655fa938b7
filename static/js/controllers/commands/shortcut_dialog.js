import { isMac } from "../../browser/platform.js";
import { SHORTCUTS, findShortcut, keyLabels } from "../../models/shortcuts.js";

/** The dialog that lists the shortcuts; built when it is first opened. */
export class ShortcutDialog {
  #dialog;
  #list;

  /** @param {HTMLDialogElement} dialog */
  constructor(dialog) {
    this.#dialog = dialog;
    this.#list = /** @type {HTMLElement} */ (dialog.querySelector("dl"));
  }

  toggle() {
    if (this.#dialog.open) {
      this.#dialog.close();
      return;
    }
    if (!this.#list.childElementCount) this.#list.append(...SHORTCUTS.map(row));
    this.#dialog.showModal();
  }
}

/** @param {import("../../models/shortcuts.js").Shortcut} shortcut */
function row(shortcut) {
  const [line, name, keys] = ["div", "dt", "dd"].map((tag) => document.createElement(tag));
  name.textContent = shortcut.name();
  keys.append(keysElement(shortcut));
  line.append(name, keys);
  return line;
}

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
