/** Whether the page was reloaded rather than navigated to. */
export function wasReloaded() {
  const [visit] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
  return visit?.type === "reload";
}
