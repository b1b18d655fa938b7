/** What pages of the staff ask the site for, while they watch. */

import { StreamError, errorOf, unreachable } from "./errors.js";
import { isJson } from "./responses.js";
import { world } from "./world.js";

const STREAM = /^\/generations\/([^/]+)\/stream$/;

/** @param {string} conversationId */
const placeOf = (conversationId) => `/review/${encodeURIComponent(conversationId)}/`;

/**
 * The browser, whose streams of answers are those for people who look on.
 * @param {string} conversationId
 * @returns {import("./connection.js").World}
 */
export function watchingWorld(conversationId) {
  const place = `${placeOf(conversationId)}live/$1/`;
  return { ...world, fetch: (url, init) => fetch(String(url).replace(STREAM, place), init) };
}

/**
 * @typedef {import("./stored.js").Turn & {author: string, moment: string, is_person?: boolean}} WatchedTurn
 * @typedef {{turns: WatchedTurn[], is_elsewhere: boolean, holder: "" | "own" | "other", who: string}} News
 */

/** @param {string} conversationId @param {number} after @returns {Promise<News>} */
export const newsOf = (conversationId, after) => read(`${placeOf(conversationId)}news/?after=${after}`);

/** @param {string} url @returns {Promise<any>} */
export async function read(url) {
  const response = await ask(url, {});
  if (!isJson(response)) throw new StreamError("signed_out", ""); // a page that asks for something first
  return response.json();
}

/** Whether something is asked for first, which can be given in another tab. @param {StreamError} error */
export const isAskedFirst = ({ code }) => code === "no_reason" || code === "signed_out";

/** Sent is what the site says it took; a page in its place says so of nothing. @param {HTMLFormElement} form */
export async function send(form) {
  const response = await ask(form.action, { method: "POST", body: new FormData(form) });
  if (response.status !== 204) throw await errorOf(response);
}

/** @param {string} url @param {RequestInit} init */
async function ask(url, init) {
  const headers = { Accept: "application/json" };
  const response = await fetch(url, { ...init, headers, cache: "no-store" }).catch(() => null);
  if (!response) throw unreachable();
  if (!response.ok) throw await errorOf(response);
  return response;
}
