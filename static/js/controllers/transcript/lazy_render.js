/**
 * Process elements once they are in or near the window. Done a few at a time, visible ones first, so that scrolling
 * stays smooth.
 */

const MARGIN = "100% 0%";
const BUDGET_MS = 8;

export class LazyRender {
  /** @type {Map<Element, () => void>} */
  #tasks = new Map();
  /** @type {Set<Element>} */
  #ready = new Set();
  #isWorking = false;
  #observer = new IntersectionObserver((entries) => this.#noticed(entries), { rootMargin: MARGIN });

  /** @param {AbortSignal} [signal] ends it */
  constructor(signal) {
    addEventListener("beforeprint", () => this.#all(), { signal });
    signal?.addEventListener("abort", () => this.#observer.disconnect());
  }

  /** @param {Element} element @param {() => void} task */
  when(element, task) {
    this.#tasks.set(element, task);
    this.#observer.observe(element);
  }

  /** @param {Element} element */
  forget(element) {
    this.#observer.unobserve(element);
    this.#tasks.delete(element);
    this.#ready.delete(element);
  }

  /** @param {IntersectionObserverEntry[]} entries */
  #noticed(entries) {
    for (const { target, isIntersecting } of entries) {
      if (isIntersecting) this.#ready.add(target);
      else this.#ready.delete(target);
    }
    if (!this.#isWorking) this.#work();
  }

  /** Process all elements before printing. */
  #all() {
    for (const [element, task] of [...this.#tasks]) {
      this.forget(element);
      task();
    }
  }

  #work() {
    const until = performance.now() + BUDGET_MS;
    for (const element of [...this.#ready].sort(byDistance)) {
      const task = this.#tasks.get(element);
      this.forget(element);
      task?.();
      if (performance.now() > until) break;
    }
    this.#isWorking = this.#ready.size > 0;
    if (this.#isWorking) setTimeout(() => this.#work());
  }
}

/** Compare the distances to the middle of the window. @param {Element} one @param {Element} other */
function byDistance(one, other) {
  return distance(one) - distance(other);
}

/** @param {Element} element */
function distance(element) {
  const { top, bottom } = element.getBoundingClientRect();
  return Math.max(top - innerHeight / 2, innerHeight / 2 - bottom, 0);
}
