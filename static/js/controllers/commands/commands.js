/** The commands of the chat page, for shortcuts and the command palette. */

import { savePreference } from "../../api/preferences.js";
import {
  ARCHIVE_URL,
  COLLECTIONS_URL,
  IMPORT_URL,
  NEW_CHAT_URL,
  PERSONALIZATION_URL,
  PERSONAS_URL,
  personaChatUrl,
  PROJECTS_URL,
  PROMPTS_URL,
  SETTINGS_URL,
  TEMPORARY_CHAT_URL,
  USAGE_URL,
} from "../../api/urls.js";
import { showTheme } from "../../browser/theme.js";
import { lastCodeBlock } from "../../lib/code_blocks.js";
import { t } from "../../lib/i18n.js";
import { findShortcut } from "../../models/shortcuts.js";
import { offeredPersonas } from "../composer/persona_label.js";
import { copyAndAnnounce } from "../ui/copy_button.js";
import { openChatCommands } from "./open_chat_commands.js";

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
 * @param {import("../../browser/browser_env.js").BrowserEnv} parts.env
 * @param {() => Promise<boolean>} parts.quote
 * @param {() => void} parts.toggleSidebar
 * @param {() => void} parts.openPalette
 * @param {() => void} parts.openShortcuts
 * @param {((id: string) => void) | null} parts.share
 * @returns {Command[]}
 */
export function allCommands(parts) {
  const { chat, toast, status, env, quote, toggleSidebar, openPalette, openShortcuts, share } = parts;
  const themed = (/** @type {string} */ id, /** @type {() => string} */ name) => ({
    id,
    name,
    async run() {
      showTheme(id);
      if (await savePreference(env, "theme", id)) return;
      status.hint(t("Couldn't save this. Check your connection, then try again."));
    },
    isOffered: () => document.documentElement.dataset.theme !== id,
  });
  return [
    named("palette", openPalette, () => false),
    named("new", () => location.assign(NEW_CHAT_URL), () => location.pathname !== NEW_CHAT_URL),
    {
      id: "temporary",
      name: () => t("Temporary chat"),
      run: () => location.assign(TEMPORARY_CHAT_URL),
      isOffered: () => location.pathname !== TEMPORARY_CHAT_URL,
    },
    ...offeredPersonas().map(withPersona),
    named("write", () => chat.composer.focus()),
    named("stop", () => chat.answers.stop(), () => chat.answers.isRunning),
    named("copy-answer", () => copyOr(chat.lastText, t("There's no answer yet."), status), () => chat.lastText !== ""),
    named("copy-code", () => copyOr(lastCodeBlock(chat.lastText), t("The last answer has no code block."), status), () => lastCodeBlock(chat.lastText) !== ""),
    named("quote", async () => (await quote()) || status.hint(t("Select text in an answer first.")), () => false),
    {
      id: "share",
      name: () => t("Share chat…"),
      run: () => share?.(chat.id),
      isOffered: () => share !== null && chat.id !== "",
    },
    named("sidebar", toggleSidebar),
    ...openChatCommands(chat),
    named("undo", () => toast.undo(), () => toast.canUndo),
    { id: "archived", name: () => t("Archived chats"), run: () => location.assign(ARCHIVE_URL) },
    themed("light", () => t("Light theme")),
    themed("dark", () => t("Dark theme")),
    themed("system", () => t("System theme")),
    { id: "personas", name: () => t("Personas"), run: () => location.assign(PERSONAS_URL) },
    { id: "projects", name: () => t("Projects"), run: () => location.assign(PROJECTS_URL) },
    { id: "collections", name: () => t("Collections"), run: () => location.assign(COLLECTIONS_URL) },
    { id: "prompts", name: () => t("Prompts"), run: () => location.assign(PROMPTS_URL) },
    {
      id: "keep-prompt",
      name: () => t("Save this text as a prompt"),
      run: () => chat.composer.saveAsPrompt(),
      isOffered: () => Boolean(chat.composer.text.trim()),
    },
    { id: "settings", name: () => t("Settings"), run: () => location.assign(SETTINGS_URL) },
    { id: "personalization", name: () => t("Personalization"), run: () => location.assign(PERSONALIZATION_URL) },
    { id: "usage", name: () => t("Usage"), run: () => location.assign(USAGE_URL) },
    { id: "import", name: () => t("Import chats"), run: () => location.assign(IMPORT_URL) },
    named("shortcuts", openShortcuts),
  ];
}

/** @param {{id: string, name: string}} persona */
function withPersona({ id, name }) {
  return { id: `persona-${id}`, name: () => t("New chat with {name}", { name }), run: () => location.assign(personaChatUrl(id)) };
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
