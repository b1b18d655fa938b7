/**
 * Call back when a connection that looked dead should be checked: the network is back, or the tab is visible again (its
 * timers may have slept).
 * @param {() => void} callback
 * @returns {() => void} ends it
 */
export function onWake(callback) {
  const visible = () => document.visibilityState === "visible" && callback();
  addEventListener("online", callback);
  document.addEventListener("visibilitychange", visible);
  return () => {
    removeEventListener("online", callback);
    document.removeEventListener("visibilitychange", visible);
  };
}

/**
 * Moments at which somebody comes back to this tab, or to its window, and may have been elsewhere with
 * the same account.
 * @param {() => void} callback
 */
export function onReturn(callback) {
  addEventListener("focus", callback);
  addEventListener("pageshow", ({ persisted }) => persisted && callback());
  onWake(callback);
}
