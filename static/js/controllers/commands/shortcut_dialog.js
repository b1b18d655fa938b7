import { t } from "../../lib/i18n.js";
import { SHORTCUTS } from "../../models/shortcuts.js";
import { wireDialog } from "../ui/dialog.js";
import { keysElement } from "./shortcut_keys.js";

/** @type {HTMLDialogElement | undefined} */
let dialog;

/**
 * Open the dialog that lists the shortcuts, or close it; it is built when it is first opened.
 * @param {import("../ui/status.js").Status} status
 */
export function toggleShortcuts(status) {
  dialog ??= build(status);
  if (dialog.open) dialog.close();
  else dialog.showModal();
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
