/**
 * Moments at which a connection that looked dead is worth another look: the network is back, or the
 * tab is in front again (its timers may have slept).
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
