/** Requests of staff pages that watch chats. */

import { browserEnv } from "../browser/browser_env.js";
import { ApiError, errorFromResponse, unreachableError } from "./errors.js";
import { isJson } from "./responses.js";

const STREAM = /^\/generations\/([^/]+)\/stream$/;

/**
 * Return a browser environment whose answer streams are those for watching staff.
 * @param {string} place the address of the chat's page
 * @returns {import("../browser/browser_env.js").BrowserEnv}
 */
export function watcherEnv(place) {
  return { ...browserEnv, fetch: (url, init) => fetch(String(url).replace(STREAM, `${place}live/$1/`), init) };
}

/**
 * @typedef {import("./conversations.js").StoredMessage & {author: string, moment: string, is_person?: boolean, is_by_email?: boolean, page_context?: [string, string][]}} WatchedMessage
 * @typedef {{state: "open" | "snoozed" | "closed", facts: string[]}} Handling of a chat in an inbox
 * @typedef {"" | "own" | "other"} Holder
 * @typedef {{turns: WatchedMessage[], is_elsewhere: boolean, holder: Holder, who: string, can_be_taken_over: boolean, is_visitor_typing: boolean, handling?: Handling}} LiveUpdates
 * @typedef {import("../types.js").Source & {is_for_team: boolean}} TeamSource
 * @typedef {{text: string, sources: TeamSource[]}} SuggestedReply
 */

/**
 * @param {string} place the address of the chat's page
 * @param {number} after
 * @param {string} [typing] "1" while the staff member is typing to the visitor, "0" once they have stopped
 * @returns {Promise<LiveUpdates>}
 */
export const fetchLiveUpdates = (place, after, typing) => fetchReviewJson(`${place}updates/?after=${after}${typing ? `&typing=${typing}` : ""}`);

/** @template Json what stands at the address @param {string} url @returns {Promise<Json>} */
export async function fetchReviewJson(url) {
  const response = await ask(url, {});
  if (!isJson(response)) throw new ApiError("not_authenticated", ""); // the sign-in page, or the page that asks for a reason
  return response.json();
}

/**
 * Ask for a reply to a visitor, from the website's sources.
 * @param {HTMLFormElement} form whose token is sent, but not its text
 * @param {string} place the address of the chat's page
 * @returns {Promise<SuggestedReply>}
 */
export async function requestSuggestion(form, place) {
  const token = String(new FormData(form).get("csrfmiddlewaretoken"));
  const response = await ask(`${place}suggestion/`, { method: "POST", body: new URLSearchParams({ csrfmiddlewaretoken: token }) });
  if (!isJson(response)) throw new ApiError("not_authenticated", "");
  return response.json();
}

/** Whether the user must first sign in or give a reason, possibly in another tab. @param {ApiError} error */
export const needsSignInOrReason = ({ code }) => code === "reason_required" || code === "not_authenticated";

/**
 * Submit a form; it counts as sent only if the response says so, not if another page came instead.
 * @param {HTMLFormElement} form
 */
export async function submitReviewForm(form) {
  const response = await ask(form.action, { method: "POST", body: new FormData(form) });
  if (response.status !== 204) throw await errorFromResponse(response);
}

/** @param {string} url @param {RequestInit} init */
async function ask(url, init) {
  const headers = { Accept: "application/json" };
  const response = await fetch(url, { ...init, headers, cache: "no-store" }).catch(() => null);
  if (!response) throw unreachableError();
  if (!response.ok) throw await errorFromResponse(response);
  return response;
}
