/** All commands of the chat page, as the command palette lists them. */

import { savePreference } from "../../api/preferences.js";
import {
  ARCHIVE_URL,
  COLLECTIONS_URL,
  IMPORT_URL,
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
import { t } from "../../lib/i18n.js";
import { openChatCommands } from "./open_chat_commands.js";

/** @typedef {import("./commands.js").Command} Command */

/**
 * @typedef {object} CommandParts
 * @property {import("../chat/chat_controller.js").ChatController} chat
 * @property {import("../ui/status.js").Status} status
 * @property {import("../../browser/browser_env.js").BrowserEnv} env
 * @property {Command[]} shortcuts the commands that have one
 * @property {((id: string) => void) | null} share
 * @property {() => Promise<boolean>} loadHtmx
 */

/** @param {CommandParts} parts @returns {Command[]} */
export function allCommands({ chat, status, env, shortcuts, share, loadHtmx }) {
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
  const named = (/** @type {string[]} */ ...ids) => shortcuts.filter(({ id }) => ids.includes(id));
  return [
    ...named("new"),
    {
      id: "temporary",
      name: () => t("Temporary chat"),
      run: () => location.assign(TEMPORARY_CHAT_URL),
      isOffered: () => location.pathname !== TEMPORARY_CHAT_URL,
    },
    ...offeredPersonas().map(withPersona),
    ...named("write", "stop", "copy-answer", "copy-code"),
    {
      id: "share",
      name: () => t("Share chat…"),
      run: () => share?.(chat.id),
      isOffered: () => share !== null && chat.id !== "",
    },
    ...named("sidebar"),
    ...openChatCommands(chat, loadHtmx),
    ...named("undo"),
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
    ...named("shortcuts"),
  ];
}

/** Return the personas that a new chat can use. @returns {{id: string, name: string}[]} */
function offeredPersonas() {
  return JSON.parse(document.getElementById("personas")?.textContent ?? "[]");
}

/** @param {{id: string, name: string}} persona @returns {Command} */
function withPersona({ id, name }) {
  return { id: `persona-${id}`, name: () => t("New chat with {name}", { name }), run: () => location.assign(personaChatUrl(id)) };
}
