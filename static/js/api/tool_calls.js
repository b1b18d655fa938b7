/** Read a call of a tool, and decide about it. */

import { errorFromResponse, unreachableError } from "./errors.js";
import { toolCallUrl, toolDecisionUrl } from "./urls.js";

/** @typedef {import("../browser/browser_env.js").BrowserEnv} BrowserEnv */
/** @typedef {{is_allowed: boolean, arguments?: string, words?: string, scope?: string}} Decision */

/**
 * @param {BrowserEnv} env
 * @param {string} id
 * @returns {Promise<{arguments: string, result: string, images: string[]} | null>} null if it can't be read
 */
export async function fetchToolCall(env, id) {
  const response = await env.fetch(toolCallUrl(id), { headers: { Accept: "application/json" } }).catch(() => null);
  return response?.ok ? response.json() : null;
}

/**
 * @param {BrowserEnv} env
 * @param {string} id
 * @param {Decision} decision
 * @returns {Promise<{tools: import("../types.js").Tool[], problem: import("../types.js").Problem | null}>} all calls of the answer
 */
export async function decideToolCall(env, id, decision) {
  const headers = { "Content-Type": "application/json", Accept: "application/json", "X-CSRFToken": env.csrfToken(), "X-Tab": env.tab };
  const request = { method: "POST", headers, body: JSON.stringify(decision) };
  const response = await env.fetch(toolDecisionUrl(id), request).catch(() => null);
  if (!response) return { tools: [], problem: unreachableError() };
  if (!response.ok) return { tools: [], problem: await errorFromResponse(response) };
  const { tools } = await response.json();
  return { tools, problem: null };
}
