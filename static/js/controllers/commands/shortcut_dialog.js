import { isMac } from "../../browser/platform.js";
import { t } from "../../lib/i18n.js";
import { SHORTCUTS, findShortcut, keyLabels } from "../../models/shortcuts.js";
import { wireDialog } from "../ui/dialog.js";

/** The dialog that lists the shortcuts; built when it is first opened. */
export class ShortcutDialog {
  /** @type {HTMLDialogElement | undefined} */
  #dialog;
  #status;

  /** @param {import("../ui/status.js").Status} status */
  constructor(status) {
    this.#status = status;
  }

  toggle() {
    this.#dialog ??= build(this.#status);
    if (this.#dialog.open) this.#dialog.close();
    else this.#dialog.showModal();
  }
}

/** @param {import("../ui/status.js").Status} status */
function build(status) {
  const dialog = document.createElement("dialog");
  const [content, title, list, buttons, close] = ["div", "h2", "dl", "form", "button"].map((tag) => document.createElement(tag));
  dialog.id = "shortcuts";
  dialog.setAttribute("aria-labelledby", "shortcuts-title");
  content.className = "dialog-content";
  Object.assign(title, { id: "shortcuts-title", tabIndex: -1, autofocus: true, textContent: t("Keyboard shortcuts") });
  list.className = "shortcuts";
  list.append(...SHORTCUTS.map(row));
  Object.assign(buttons, { method: "dialog", className: "button-row" });
  Object.assign(close, { className: "button", textContent: t("Close") });
  buttons.append(close);
  content.append(title, list, buttons);
  dialog.append(content);
  document.body.append(dialog);
  wireDialog(dialog, status);
  return dialog;
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
