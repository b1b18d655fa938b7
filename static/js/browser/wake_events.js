/**
 * Call back when a connection that looked dead should be checked: the network is back, or the tab is visible again (its
 * timers may have slept).
 * @param {() => void} callback
 * @returns {() => void} a function that stops listening
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
 * Call back when the user returns to this tab or its window, and may have used the same account elsewhere.
 * @param {() => void} callback
 */
export function onReturn(callback) {
  addEventListener("focus", callback);
  addEventListener("pageshow", ({ persisted }) => persisted && callback());
  onWake(callback);
}
