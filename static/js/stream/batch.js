/**
 * Runs a task at most once per frame, however often it is asked for. Hidden tabs get no frames, so a
 * timer runs beside: whichever comes first.
 */

const LATEST_MS = 250;

export class Batch {
  #task;
  #frame = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /** @param {() => void} task */
  constructor(task) {
    this.#task = task;
  }

  ask() {
    if (this.#timer !== undefined) return;
    this.#frame = requestAnimationFrame(() => this.flush());
    this.#timer = setTimeout(() => this.flush(), LATEST_MS);
  }

  /** Runs the task now, if it was asked for. */
  flush() {
    if (this.#timer === undefined) return;
    this.cancel();
    this.#task();
  }

  cancel() {
    cancelAnimationFrame(this.#frame);
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
