/** The choices of the command palette: chats, hits and commands, rendered as options. */

import { conversationUrl, messageAnchorUrl, searchUrl } from "../../api/urls.js";
import { formatDay } from "../../lib/formatting.js";
import { t } from "../../lib/i18n.js";
import { findShortcut } from "../../models/shortcuts.js";
import { keysElement } from "./shortcut_keys.js";

/** @typedef {{id: string, name: string, run: () => void, aside?: Node | string | undefined, below?: Node}} Choice */

/** @param {import("../../api/search.js").FoundChat} chat @returns {Choice} */
export function choiceOfChat({ id, title, updated_at }) {
  return { id: `found-${id}`, name: title || t("Untitled"), aside: formatDay(updated_at), run: () => location.assign(conversationUrl(id)) };
}

/** @param {import("../../api/search.js").FoundMessage} hit @returns {Choice} */
export function choiceOfHit({ id, conversation, title, pieces, said_at }) {
  const below = document.createElement("bdi");
  below.append(...pieces.map(([text, isHit]) => (isHit ? marked(text) : text)));
  const words = new Set(pieces.flatMap(([text, isHit]) => (isHit ? text : [])));
  const run = () => location.assign(messageAnchorUrl(conversation, id, [...words]));
  return { id: `hit-${id}`, name: title || t("Untitled"), aside: formatDay(said_at), below, run };
}

/** @param {string} query @returns {Choice} */
export function choiceOfAll(query) {
  return { id: "all-results", name: t("All results"), run: () => location.assign(searchUrl(query)) };
}

/** @param {string} text */
function marked(text) {
  const mark = document.createElement("mark");
  mark.textContent = text;
  return mark;
}

/** @param {import("./commands.js").Command} command @returns {Choice} */
export function choiceOfCommand({ id, name, run }) {
  const shortcut = findShortcut(id);
  return { id: `command-${id}`, name: name(), run, aside: shortcut && keysElement(shortcut) };
}

/**
 * @param {import("../../prompts/suggestions.js").Prompt} prompt
 * @param {import("./command_palette.js").UsePrompt} use
 * @returns {Choice}
 */
export function choiceOfPrompt(prompt, use) {
  const below = document.createElement("bdi");
  below.textContent = prompt.preview;
  return { id: `use-prompt-${prompt.id}`, name: prompt.name, below, run: () => use(prompt) };
}

/**
 * @param {string} name
 * @param {Choice[]} choices
 * @returns {{element: HTMLElement, choices: Choice[]} | null} null if there are none
 */
export function groupOf(name, choices) {
  if (!choices.length) return null;
  const element = document.createElement("div");
  element.setAttribute("role", "group");
  element.setAttribute("aria-label", name);
  const heading = document.createElement("p");
  heading.textContent = name;
  heading.setAttribute("aria-hidden", "true");
  element.append(heading, ...choices.map(option));
  return { element, choices };
}

/** @param {Choice} choice */
function option({ id, name, aside, below }) {
  const element = document.createElement("div");
  element.id = id;
  element.setAttribute("role", "option");
  const place = document.createElement("span");
  const words = document.createElement("bdi");
  words.className = "truncate";
  words.textContent = name;
  place.append(words);
  element.append(place);
  if (aside) {
    const end = document.createElement("span");
    end.className = "palette-note";
    end.append(aside);
    element.append(end);
  }
  if (below) {
    const line = document.createElement("span");
    line.className = "palette-snippet";
    line.append(below);
    element.append(line);
  }
  return element;
}
