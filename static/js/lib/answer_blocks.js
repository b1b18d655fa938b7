/**
 * Read the buttons and cards that a model writes as blocks of code. Pure. What it writes is hostile: a block that is
 * too large or not exactly in its form is none, and stays text.
 */

import { hasInvisibleCharacters } from "../markdown/characters.js";

export const MAX_BLOCK_LENGTH = 4_000;
export const MAX_BUTTONS = 6;
export const MAX_LABEL_LENGTH = 60;
export const MAX_CARDS = 4;
export const MAX_TITLE_LENGTH = 80;
export const MAX_TEXT_LENGTH = 240;

/** What models put before the items of a list. */
const MARK = /^(?:[-*•]|\d{1,2}[.)])\s+/;
const FIELD = /^(title|text|link|image)\s*:\s*(.*)$/i;
/** Characters that can't be seen by themselves, where writing needs them: between letters, and after emoji. */
const JOINERS = /(?<=[\p{L}\p{M}])(?:\u200c|\u200d)(?=\p{L})|(?<=\p{Extended_Pictographic}|[#*\d]|\p{Emoji_Modifier})(?:\u200d|\ufe0f){1,2}/gu;

/** @typedef {{title: string, text: string, link: URL | null}} Card */

/**
 * Return the labels of a block of buttons; null if it is none.
 * @param {string} source
 * @returns {string[] | null}
 */
export function readButtons(source) {
  const labels = linesOf(source)?.filter(Boolean).map((line) => line.replace(MARK, ""));
  if (!labels?.length || labels.length > MAX_BUTTONS || new Set(labels).size < labels.length) return null;
  return labels.every((label) => isReadable(label, MAX_LABEL_LENGTH)) ? labels : null;
}

/**
 * Return the cards of a block; null if it is none. A card whose link may not be followed has none.
 * @param {string} source
 * @param {string[]} origins that links may lead to
 * @returns {Card[] | null}
 */
export function readCards(source, origins) {
  const lines = linesOf(source) ?? [];
  /** @type {Record<string, string>[]} */
  const found = [];
  for (const line of lines.filter((each) => each && each !== "---")) {
    const [, name, value] = line.replace(MARK, "").match(FIELD) ?? [];
    if (!name) return null;
    const key = name.toLowerCase();
    if (key === "title") found.push({});
    const card = found.at(-1);
    if (!card || key in card) return null;
    card[key] = value.trim();
  }
  const isWhole = found.length > 0 && found.length <= MAX_CARDS && found.every(isCard);
  return isWhole ? found.map(({ title, text = "", link = "" }) => ({ title, text, link: allowedLink(link, origins) })) : null;
}

/** @param {Record<string, string>} card */
function isCard({ title, text = "" }) {
  return isReadable(title, MAX_TITLE_LENGTH) && (!text || isReadable(text, MAX_TEXT_LENGTH));
}

/**
 * Return where a link leads, if it is to a page of one of these websites.
 * @param {string} href
 * @param {string[]} origins as the owner wrote them: `https://www.example.org`, or `https://*.example.org` for all below
 */
export function allowedLink(href, origins) {
  const url = URL.canParse(href) ? new URL(href) : null;
  if (!url || url.username || url.password) return null;
  return origins.some((origin) => covers(origin, url)) ? url : null;
}

/** @param {string} origin @param {URL} url */
function covers(origin, url) {
  const [scheme, host] = origin.split("://");
  if (`${scheme}:` !== url.protocol) return false;
  return host.startsWith("*.") ? url.host.endsWith(host.slice(1)) : url.host === host;
}

/** @param {string} source @returns {string[] | null} */
function linesOf(source) {
  return source.length > MAX_BLOCK_LENGTH ? null : source.split("\n").map((line) => line.trim());
}

/** @param {string} text @param {number} most */
function isReadable(text, most) {
  return text !== "" && text.length <= most && !hasInvisibleCharacters(text.replace(JOINERS, ""));
}
