/** What a website says about its page and its user. The server has the same limits: chat/conversations/page_context.py. */

const GROUPS = ["page", "user"];
const MAX_ENTRIES = 30;
const MAX_NAME = 60;
const MAX_VALUE = 500;
const MAX_LENGTH = 4000;
const GREETING = "message shown before the question";

/** @typedef {{page?: Record<string, unknown>, user?: Record<string, unknown>, address?: string}} PageContext */

/**
 * Return what may be sent of `json`: long texts are cut, and what is not a simple value is left out.
 * @param {string} json
 * @returns {PageContext | null} null if there is nothing to send
 * @throws {RangeError} if it is too long altogether
 */
export function readPageContext(json) {
  const given = JSON.parse(json) ?? {};
  /** @type {PageContext} */
  const context = {};
  for (const group of /** @type {("page" | "user")[]} */ (GROUPS)) {
    const entries = Object.entries(given[group] ?? {})
      .filter(([name, value]) => name.length <= MAX_NAME && isSimple(value))
      .slice(0, MAX_ENTRIES)
      .map(([name, value]) => [name, typeof value === "string" ? value.slice(0, MAX_VALUE) : value]);
    if (entries.length) context[group] = Object.fromEntries(entries);
  }
  if (JSON.stringify(context).length > MAX_LENGTH) throw new RangeError("The context is too long.");
  return Object.keys(context).length ? context : null;
}

/**
 * Add the message that made the visitor open the chat, so that the model understands a reply such as "Yes".
 * @param {PageContext | null} context
 * @param {string} text "" if there is none
 * @returns {PageContext | null}
 */
export function withGreeting(context, text) {
  if (!text) return context;
  const entries = [[GREETING, text.slice(0, MAX_VALUE)], ...Object.entries(context?.page ?? {})].slice(0, MAX_ENTRIES);
  const all = { ...context, page: Object.fromEntries(entries) };
  return JSON.stringify(all).length > MAX_LENGTH ? context : all;
}

/**
 * Add the address of the page, which only people are shown, unless the website has said another one.
 * @param {PageContext | null} context
 * @param {string} address "" if the chat is in no page
 * @returns {PageContext | null}
 */
export function withAddress(context, address) {
  if (!address || Object.hasOwn(context?.page ?? {}, "address")) return context;
  const all = { ...context, address: address.slice(0, MAX_VALUE) };
  return JSON.stringify(all).length > MAX_LENGTH ? context : all;
}

/** @param {unknown} value */
function isSimple(value) {
  return ["string", "number", "boolean"].includes(typeof value);
}
