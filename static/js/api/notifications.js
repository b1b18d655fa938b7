/** Notifications that something changed elsewhere. They only say where to look, so lost or repeated ones do no harm. */

import { Backoff } from "../lib/backoff.js";
import { NOTIFICATIONS_URL } from "./urls.js";

/** @typedef {{kind: "turn" | "answer" | "permission" | "follow_ups" | "list", conversation: string, tab: string}} ChangeNotification */

const SIGNED_OUT = 4401;
/** A socket that was open for longer had a session. */
const REFUSED_WITHIN_MS = 10_000;

/**
 * Listen while the page is open. `told` gets null if notifications may have been missed.
 * @param {import("../browser/browser_env.js").BrowserEnv} env
 * @param {(hint: ChangeNotification | null) => void} told
 */
export function listenForNotifications(env, told) {
  const options = { longestMs: 60_000, patienceMs: Infinity, random: env.random };
  const backoff = new Backoff(options);
  let wasLost = false;
  open();

  function open() {
    const socket = env.socket(NOTIFICATIONS_URL);
    const openedAt = env.now();
    socket.onopen = () => {
      backoff.reset();
      if (wasLost) told(null);
    };
    socket.onmessage = ({ data }) => told(JSON.parse(data));
    socket.onclose = async ({ code }) => {
      wasLost = true;
      // The session may only have a new key, because the password was confirmed in another tab. If it
      // is over, the next request of the user reports it.
      if (code === SIGNED_OUT && env.now() - openedAt < REFUSED_WITHIN_MS) return;
      await env.sleep(/** @type {number} */ (backoff.next()));
      open();
    };
  }
}
