/** Whether somebody asked for this page again, and did not come to it. */
export function wasReloaded() {
  const [visit] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
  return visit?.type === "reload";
}
