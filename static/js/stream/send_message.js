/**
 * Send a message: one POST whose response is a stream. A send with a key is idempotent, so it is repeated while the
 * site is unreachable or restarting. One without a key is sent once.
 */

import { deletedError, errorFromResponse, unreachableError } from "../api/errors.js";
import { GATEWAY_STATUSES, isEventStream } from "../api/responses.js";
import { Backoff } from "../lib/backoff.js";

const PATIENCE_MS = 15_000;
/** How long to repeat it during a restart or an outage of the database, told by the site or by a proxy before it. */
const LONG_PATIENCE_MS = 90_000;
const LONG_PASSING = new Set(["shutting_down", "database_unavailable"]);

/** @typedef {{url: string, body: import("../types.js").StoredSend | import("../types.js").TemporarySend}} Send */
/** @typedef {{response: Response | null, error: import("../api/errors.js").ApiError | null}} Outcome */

/**
 * @param {Send} send
 * @param {import("../browser/browser_env.js").BrowserEnv} env
 * @param {import("./stream_connection.js").StreamConnection} connection
 * @param {() => boolean} isWanted called before each retry
 * @returns {Promise<Outcome>} a stream (or 204: all of it is stored), or what went wrong
 */
export async function sendMessage({ url, body }, env, connection, isWanted) {
  const steps = { firstMs: 500, longestMs: 4000, random: env.random };
  const short = new Backoff({ ...steps, patienceMs: body.key ? PATIENCE_MS : 0 });
  const long = new Backoff({ ...steps, patienceMs: body.key ? LONG_PATIENCE_MS : 0 });
  for (;;) {
    const response = await connection.open(url, request(body, env));
    if (response && (isEventStream(response) || response.status === 204)) return { response, error: null };
    const error = response ? await refusal(response) : unreachableError();
    const backoff = LONG_PASSING.has(error.code) || isFromGateway(error) ? long : short;
    const wait = isPassing(error) && isWanted() ? backoff.next() : null;
    connection.close();
    if (wait === null) return { response, error };
    await env.sleep(Math.max(wait, error.retryAfterSeconds <= 30 ? error.retryAfterSeconds * 1000 : 0));
  }
}

/**
 * @param {object} body
 * @param {import("../browser/browser_env.js").BrowserEnv} env
 * @returns {RequestInit}
 */
function request(body, { csrfToken, tab }) {
  const headers = {
    "Content-Type": "application/json",
    Accept: "text/event-stream",
    "X-CSRFToken": csrfToken(),
    "X-Tab": tab,
  };
  return { method: "POST", headers, body: JSON.stringify(body, storable) };
}

/**
 * Replace unpaired surrogates and NULs, which cannot be stored; cut or copied texts may contain them.
 * @param {string} _key
 * @param {unknown} value
 */
function storable(_key, value) {
  if (typeof value !== "string") return value;
  return (value.toWellFormed?.() ?? value).replaceAll("\0", "\ufffd");
}

/**
 * Return the error of a refused send. A 404 means that the conversation, its persona or its project was deleted.
 * @param {Response} response
 */
async function refusal(response) {
  const error = await errorFromResponse(response);
  return error.status === 404 && !error.code.endsWith("_unavailable") ? deletedError() : error;
}

/** Return whether the request was not accepted, but may be soon. @param {import("../api/errors.js").ApiError} error */
function isPassing({ code, status }) {
  return code === "network" || code === "overloaded" || LONG_PASSING.has(code) || isFromGateway({ code, status });
}

/**
 * Return whether a proxy found no worker of the site, or none that answers.
 * @param {{code: string, status: number}} error
 */
function isFromGateway({ code, status }) {
  return code === "unexpected_response" && GATEWAY_STATUSES.has(status);
}
