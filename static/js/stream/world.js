import { cookie } from "../lib/cookies.js";
import { newKey } from "../lib/keys.js";
import { Presence } from "../lib/presence.js";
import { onWake } from "../lib/wake.js";

/**
 * The browser, as far as streams need it.
 * @type {import("./connection.js").World}
 */
export const world = {
  fetch: (...request) => fetch(...request),
  now: Date.now,
  random: Math.random,
  csrfToken: () => cookie("csrftoken"),
  tab: newKey(),
  socket: (path) => new WebSocket(new URL(path, location.href.replace(/^http/, "ws"))),
  onWake,
  presence: new Presence(),
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
