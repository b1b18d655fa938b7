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
 * @param {AbortSignal} [signal] stops listening
 */
export function onReturn(callback, signal) {
  addEventListener("focus", callback, { signal });
  addEventListener("pageshow", ({ persisted }) => persisted && callback(), { signal });
  const stop = onWake(callback);
  signal?.addEventListener("abort", stop);
}
