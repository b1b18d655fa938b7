/**
 * Run a task repeatedly, one run at a time, and at once when the user returns to the tab. Hidden tabs do not run it.
 */

import { onReturn } from "./wake_events.js";

export class Poller {
  #task;
  #everyMs;
  #alsoHidden;
  #isStopped = false;
  #isPolling = false;
  #isWantedAgain = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /**
   * @param {() => Promise<void>} task
   * @param {() => number} everyMs the interval until the next run; 0: none until the user returns
   * @param {() => boolean} [alsoHidden]
   */
  constructor(task, everyMs, alsoHidden = () => false) {
    this.#task = task;
    this.#everyMs = everyMs;
    this.#alsoHidden = alsoHidden;
    onReturn(() => this.poll());
    this.#later();
  }

  /** Run the task now, and restart the interval. */
  async poll() {
    this.#isWantedAgain = this.#isPolling;
    if (this.#isStopped || this.#isPolling) return;
    this.#isPolling = true;
    clearTimeout(this.#timer);
    try {
      if (this.#alsoHidden() || document.visibilityState === "visible") await this.#task();
    } finally {
      this.#isPolling = false;
      if (this.#isWantedAgain) this.poll();
      else this.#later();
    }
  }

  stop() {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  #later() {
    clearTimeout(this.#timer);
    const pause = this.#everyMs();
    if (pause && !this.#isStopped) this.#timer = setTimeout(() => this.poll(), pause);
  }
}
