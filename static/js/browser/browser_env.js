/** The browser APIs for requests, streams and sockets; tests provide their own. */

import { newIdempotencyKey } from "../lib/idempotency_key.js";
import { readCookie } from "./cookies.js";
import { TabPresence } from "./tab_presence.js";
import { onWake } from "./wake_events.js";

/**
 * @typedef {object} BrowserEnv
 * @property {typeof fetch} fetch
 * @property {() => number} now milliseconds
 * @property {() => number} random between 0 and 1
 * @property {(ms: number) => Promise<boolean>} sleep resolves to whether something woke it before its time
 * @property {() => string} csrfToken
 * @property {string} tab a random ID of this page, so that it ignores notifications about its own changes
 * @property {(path: string) => WebSocket} socket
 * @property {(callback: () => void) => () => void} onWake
 * @property {Pick<TabPresence, "isAway" | "onAway" | "whenBack">} presence
 */

/** @type {BrowserEnv} */
export const browserEnv = {
  fetch: (...request) => fetch(...request),
  now: Date.now,
  random: Math.random,
  csrfToken: () => readCookie("csrftoken"),
  tab: newIdempotencyKey(),
  socket: (path) => new WebSocket(new URL(path, location.href.replace(/^http/, "ws"))),
  onWake,
  presence: new TabPresence(),
  sleep(ms) {
    return new Promise((resolve) => {
      const end = (/** @type {boolean} */ wasWoken) => {
        clearTimeout(timer);
        unsubscribe();
        resolve(wasWoken);
      };
      const timer = setTimeout(() => end(false), ms);
      const unsubscribe = onWake(() => end(true));
    });
  },
};
