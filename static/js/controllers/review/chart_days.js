/**
 * Show the values of the day that the mouse or the keyboard is on. Arrow keys, Home and End move between the days of a
 * chart, which is one stop of the Tab key.
 */

/** @param {HTMLElement} chart */
export function wireChart(chart) {
  const days = [...chart.querySelectorAll("svg a")].map((each) => /** @type {SVGAElement} */ (each));
  const readout = /** @type {HTMLElement | null} */ (chart.querySelector("[data-readout]"));
  if (!days.length || !readout) return;
  const titles = days.map((day) => {
    const title = day.querySelector("title");
    const words = title?.textContent ?? "";
    title?.remove(); // the browser would show it a second time
    day.setAttribute("aria-label", words);
    return words;
  });
  for (const [at, day] of days.entries()) {
    day.addEventListener("pointerenter", () => show(at));
    day.addEventListener("focus", () => show(at));
    day.addEventListener("keydown", (event) => {
      const next = moved(at, /** @type {KeyboardEvent} */ (event).key);
      if (next === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      days[at].tabIndex = -1;
      days[next].tabIndex = 0;
      days[next].focus();
    });
  }
  chart.addEventListener("pointerleave", clear);
  chart.addEventListener("focusout", clear);

  /** @param {number} at */
  function show(at) {
    if (readout) readout.textContent = titles[at];
  }

  function clear() {
    const at = days.findIndex((day) => day === document.activeElement);
    if (readout) readout.textContent = titles[at] ?? "";
  }

  /** @param {number} at @param {string} key @returns {number | undefined} */
  function moved(at, key) {
    const forth = document.dir === "rtl" ? "ArrowLeft" : "ArrowRight";
    const last = days.length - 1;
    if (key === "Home") return 0;
    if (key === "End") return last;
    if (key === "ArrowLeft" || key === "ArrowRight") return Math.min(last, Math.max(0, at + (key === forth ? 1 : -1)));
    return undefined;
  }
}
