/**
 * Keep an element where it is in the window while what is around it changes its size, until the reader scrolls. Text that
 * is formatted later, or loaded above it, would move it otherwise.
 */

const MOVES = ["wheel", "touchstart", "keydown", "pointerdown"];

/**
 * @param {() => Element | Range | null | undefined} find without the element, the page stays at its top
 * @param {number} top of the element, from the window's top
 * @param {{onMove?: () => void, onEnd?: () => void, signal?: AbortSignal | undefined}} [listener]
 */
export function holdPlace(find, top, { onMove, onEnd, signal } = {}) {
  const page = document.documentElement;
  const ending = new AbortController();
  const options = { passive: true, signal: ending.signal };
  let before = sizes();
  const bring = () => {
    const element = find();
    const distance = element ? element.getBoundingClientRect().top - top : -page.scrollTop;
    if (distance) page.scrollBy({ top: distance, behavior: "instant" });
    before = sizes();
    onMove?.();
  };
  const growth = new ResizeObserver(bring);
  const end = () => {
    growth.disconnect();
    ending.abort();
    onEnd?.();
  };
  for (const move of MOVES) addEventListener(move, end, options);
  addEventListener("scroll", () => hasScrolled(before, sizes()) && end(), options); // by assistive technology
  signal?.addEventListener("abort", end, { signal: ending.signal });
  bring();
  growth.observe(document.body);

  function sizes() {
    return { top: page.scrollTop, height: page.scrollHeight, window: page.clientHeight };
  }
}

/** @typedef {{top: number, height: number, window: number}} Sizes */

/** Whether the reader did it: the browser scrolls by itself if something has changed its size. @param {Sizes} before @param {Sizes} now */
function hasScrolled(before, now) {
  return Math.abs(now.top - before.top) > 1 && now.height === before.height && now.window === before.window;
}
