/** The commands that have a shortcut. The command palette adds others: palette_commands.js. */

import { NEW_CHAT_URL } from "../../api/urls.js";
import { lastCodeBlock } from "../../lib/code_blocks.js";
import { t } from "../../lib/i18n.js";
import { findShortcut } from "../../models/shortcuts.js";
import { copyAndAnnounce } from "../ui/copy_button.js";

/**
 * @typedef {object} Command
 * @property {string} id
 * @property {() => string} name
 * @property {() => void} run
 * @property {() => boolean} [isOffered]
 */

/**
 * @param {object} parts
 * @param {import("../chat/chat_controller.js").ChatController} parts.chat
 * @param {import("../ui/toast.js").Toast} parts.toast
 * @param {import("../ui/status.js").Status} parts.status
 * @param {() => Promise<boolean>} parts.quote
 * @param {() => void} parts.toggleSidebar
 * @param {() => void} parts.openPalette
 * @param {() => void} parts.openShortcuts
 * @returns {Command[]}
 */
export function shortcutCommands({ chat, toast, status, quote, toggleSidebar, openPalette, openShortcuts }) {
  return [
    named("palette", openPalette, () => false),
    named("new", () => location.assign(NEW_CHAT_URL), () => location.pathname !== NEW_CHAT_URL),
    named("write", () => chat.composer.focus()),
    named("stop", () => chat.answers.stop(), () => chat.answers.isRunning),
    named("copy-answer", () => copyOr(chat.lastText, t("There's no answer yet."), status), () => chat.lastText !== ""),
    named("copy-code", () => copyOr(lastCodeBlock(chat.lastText), t("The last answer has no code block."), status), () => lastCodeBlock(chat.lastText) !== ""),
    named("quote", async () => (await quote()) || status.hint(t("Select text in an answer first.")), () => false),
    named("sidebar", toggleSidebar),
    named("undo", () => toast.undo(), () => toast.canUndo),
    named("shortcuts", openShortcuts),
  ];
}

/**
 * Return a command from the shortcuts table.
 * @param {string} id
 * @param {() => void} run
 * @param {() => boolean} [isOffered]
 */
function named(id, run, isOffered = () => true) {
  return { id, run, isOffered, name: () => findShortcut(id)?.name() ?? id };
}

/**
 * @param {string} text
 * @param {string} otherwise what to say if there is none
 * @param {import("../ui/status.js").Status} status
 */
function copyOr(text, otherwise, status) {
  if (text) copyAndAnnounce(text, status);
  else status.hint(otherwise);
}
