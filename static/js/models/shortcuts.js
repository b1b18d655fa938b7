/** The shortcuts of the chat page, in one table for their actions and their list. */

import { t } from "../lib/i18n.js";

/**
 * `mod` is ⌘ on a Mac and Ctrl elsewhere. `code` is the key's place, for keyboards without Latin letters.
 * @typedef {object} Shortcut
 * @property {string} id of the command
 * @property {() => string} name
 * @property {string} key
 * @property {string} code
 * @property {boolean} [mod]
 * @property {boolean} [shift]
 */

/** @type {readonly Shortcut[]} */
export const SHORTCUTS = [
  { id: "palette", name: () => t("Search chats and commands"), mod: true, key: "K", code: "KeyK" },
  { id: "new", name: () => t("New chat"), mod: true, shift: true, key: "O", code: "KeyO" },
  { id: "sidebar", name: () => t("Show or hide the sidebar"), mod: true, shift: true, key: "S", code: "KeyS" },
  { id: "write", name: () => t("Go to the message box"), shift: true, key: "Esc", code: "Escape" },
  { id: "stop", name: () => t("Stop the answer"), key: "Esc", code: "Escape" },
  { id: "copy-answer", name: () => t("Copy last answer"), mod: true, shift: true, key: "C", code: "KeyC" },
  { id: "copy-code", name: () => t("Copy last code block"), mod: true, shift: true, key: ";", code: "Semicolon" },
  { id: "quote", name: () => t("Quote the selection"), mod: true, shift: true, key: "E", code: "KeyE" },
  { id: "undo", name: () => t("Undo deletion"), mod: true, key: "Z", code: "KeyZ" },
  { id: "shortcuts", name: () => t("Show keyboard shortcuts"), mod: true, key: "/", code: "Slash" },
];

/** Characters that are on different keys of different keyboards, and may need Shift. */
const SIGNS = /** @type {Record<string, string[]>} */ ({ ";": [";", ":"], "/": ["/", "?"] });

/**
 * Return the command that a key event triggers, if any.
 * @param {Pick<KeyboardEvent, "key" | "code" | "ctrlKey" | "metaKey" | "shiftKey" | "altKey">} event
 * @param {{isMac: boolean, isTyping: boolean}} situation
 */
export function commandForKey(event, { isMac, isTyping }) {
  if (event.altKey) return "";
  const [mod, other] = isMac ? [event.metaKey, event.ctrlKey] : [event.ctrlKey, event.metaKey];
  if (other) return "";
  if (event.key === "?" && !mod && !isTyping) return "shortcuts";
  const found = SHORTCUTS.find((shortcut) => Boolean(shortcut.mod) === mod && isKey(shortcut, event));
  return found?.id ?? "";
}

/** @param {Shortcut} shortcut @param {Pick<KeyboardEvent, "key" | "code" | "shiftKey">} event */
function isKey({ key, code, shift = false }, event) {
  if (code === "Escape") return event.key === "Escape" && event.shiftKey === shift;
  if (SIGNS[key]?.includes(event.key)) return true;
  if (event.shiftKey !== shift) return false;
  const isLatin = /^[\x20-\x7e]$/.test(event.key);
  return isLatin ? event.key.toUpperCase() === key : event.code === code;
}

/**
 * Return the keys as they are labelled on the keyboard.
 * @param {Shortcut} shortcut
 * @param {boolean} isMac
 */
export function keyLabels({ mod, shift, key }, isMac) {
  const names = isMac ? { mod: "⌘", shift: "⇧" } : { mod: t("Ctrl"), shift: t("Shift") };
  return [mod && names.mod, shift && names.shift, key].filter((each) => typeof each === "string");
}

/** @param {string} id */
export function findShortcut(id) {
  return SHORTCUTS.find((each) => each.id === id);
}
