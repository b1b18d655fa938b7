/**
 * Run a task at most once per frame, however often it is requested. Hidden tabs get no frames, so a timer runs in
 * parallel; the first to fire wins. A slow task runs less often, so that it takes at most a quarter of the time.
 */

const LATEST_MS = 250;
const SLOW_MS = 8;

export class FrameScheduler {
  #task;
  #frame = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #restsUntil = 0;

  /** @param {() => void} task */
  constructor(task) {
    this.#task = task;
  }

  schedule() {
    if (this.#timer !== undefined) return;
    const rest = this.#restsUntil - performance.now();
    if (rest <= 0) this.#frame = requestAnimationFrame(() => this.flush());
    this.#timer = setTimeout(() => this.flush(), rest > 0 ? rest : LATEST_MS);
  }

  /** Run the task now if it is pending. */
  flush() {
    if (this.#timer === undefined) return;
    this.cancel();
    const start = performance.now();
    this.#task();
    const end = performance.now();
    if (end - start > SLOW_MS) this.#restsUntil = end + 3 * (end - start);
  }

  cancel() {
    cancelAnimationFrame(this.#frame);
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
