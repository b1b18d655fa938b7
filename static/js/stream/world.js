import { cookie } from "../lib/cookies.js";
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
  onWake,
  sleep(ms) {
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        unsubscribe();
        resolve();
      };
      const timer = setTimeout(wake, ms);
      const unsubscribe = onWake(wake);
    });
  },
};
