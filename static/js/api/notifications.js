/** Notifications that something changed elsewhere. They only say where to look, so lost or repeated ones do no harm. */

import { Backoff } from "../lib/backoff.js";
import { NOTIFICATIONS_URL } from "./urls.js";

/** @typedef {{kind: "turn" | "answer" | "list", conversation: string, tab: string}} ChangeNotification */

const SIGNED_OUT = 4401;

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
    socket.onopen = () => {
      backoff.reset();
      if (wasLost) told(null);
    };
    socket.onmessage = ({ data }) => told(JSON.parse(data));
    socket.onclose = async ({ code }) => {
      wasLost = true;
      if (code === SIGNED_OUT) return; // the next request of the user reports it
      await env.sleep(/** @type {number} */ (backoff.next()));
      open();
    };
  }
}
