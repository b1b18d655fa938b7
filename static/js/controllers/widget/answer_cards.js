/**
 * Show the buttons and cards of answers below their text. The text has them as blocks of code, which are hidden then.
 * Loaded on demand.
 */

import { readButtons, readCards } from "../../lib/answer_blocks.js";
import { t } from "../../lib/i18n.js";
import { LINK_ATTRIBUTES } from "../../markdown/links.js";

const BLOCK = ':scope > .code-block:is([data-language="buttons"], [data-language="cards"])';

/**
 * Show those of a complete answer, once. A second block of a kind stays text, and so does one that isn't in its form.
 * @param {Element} text of the answer, formatted
 * @param {string[]} origins that cards may link to
 */
export function showCards(text, origins) {
  text.parentElement?.querySelector(":scope > .answer-cards")?.remove(); // of an earlier text
  const parts = new Map();
  for (const block of /** @type {NodeListOf<HTMLElement>} */ (text.querySelectorAll(BLOCK))) {
    const kind = block.dataset.language ?? "";
    const source = block.querySelector("code")?.textContent ?? "";
    const list = parts.has(kind) ? null : kind === "buttons" ? buttonList(source) : cardList(source, origins);
    if (list) parts.set(kind, list);
    block.dataset.shown = list ? "below" : "here";
    block.hidden = list !== null;
  }
  const lists = ["cards", "buttons"].map((kind) => parts.get(kind)).filter(Boolean);
  if (!lists.length) return;
  const box = document.createElement("div");
  box.className = "answer-cards";
  box.append(...lists);
  text.after(box);
}

/**
 * Let the visitor press the buttons of the last message only, and mark those that they have pressed.
 * @param {Element} thread
 * @param {boolean} isReadOnly
 */
export function updateButtons(thread, isReadOnly) {
  for (const list of thread.querySelectorAll(".answer-cards-buttons")) {
    const next = (list.closest(".exchange") ?? list.closest(".turn"))?.nextElementSibling;
    const question = next?.matches(".question") ? next : next?.querySelector(".question");
    const reply = question?.querySelector(":scope > .message-text")?.textContent ?? "";
    for (const button of list.querySelectorAll("button")) {
      button.disabled = isReadOnly || Boolean(next);
      if (next) mark(button, button.dataset.prompt === reply);
    }
  }
}

/** @param {HTMLElement} button @param {boolean} isChosen */
function mark(button, isChosen) {
  if (button.hasAttribute("data-chosen") === isChosen) return;
  button.toggleAttribute("data-chosen", isChosen);
  const words = document.createElement("span");
  words.className = "visually-hidden";
  words.textContent = ` ${t("(chosen)")}`;
  if (isChosen) button.append(words);
  else button.querySelector(".visually-hidden")?.remove();
}

/** @param {string} source */
function buttonList(source) {
  return listOf(t("Choose a reply"), "answer-cards-buttons", readButtons(source), (label) => {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "starter"; // a click sends it (composer/starters.js)
    button.dataset.prompt = label;
    button.append(words("bdi", label));
    return [button];
  });
}

/** @param {string} source @param {string[]} origins */
function cardList(source, origins) {
  return listOf(t("Cards"), "answer-cards-list", readCards(source, origins), ({ title, text, link }) => {
    const head = link ? Object.assign(document.createElement("a"), { ...LINK_ATTRIBUTES, href: link.href }) : words("b", "");
    head.append(words("bdi", title));
    const parts = [head, ...(text ? [words("p", text)] : [])];
    if (!link) return parts;
    const host = words("span", link.host);
    const hint = words("span", ` ${t("(opens in a new tab)")}`);
    hint.className = "visually-hidden";
    head.append(hint);
    host.className = "answer-cards-host";
    host.dir = "ltr";
    return [...parts, host];
  });
}

/**
 * @template Item
 * @param {string} name
 * @param {string} kind
 * @param {Item[] | null} items
 * @param {(item: Item) => Node[]} show
 */
function listOf(name, kind, items, show) {
  if (!items) return null;
  const list = document.createElement("ul");
  list.className = kind;
  list.setAttribute("role", "list"); // which list-style: none takes away in Safari
  list.setAttribute("aria-label", name);
  list.append(...items.map((item) => {
    const entry = document.createElement("li");
    entry.dir = "auto";
    entry.append(...show(item));
    return entry;
  }));
  return list;
}

/** @param {string} tag @param {string} text */
function words(tag, text) {
  const element = document.createElement(tag);
  element.dir = "auto";
  element.textContent = text;
  return element;
}
