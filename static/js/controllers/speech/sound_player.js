/** Play sounds one after another; pause, and change the speed, which keeps the pitch. */

import { unreadableError } from "../../api/speech.js";

export class SoundPlayer {
  isPaused = false;
  #audio = new Audio();
  #onPause;

  /** @param {() => void} onPause it was paused, or goes on */
  constructor(onPause) {
    this.#onPause = onPause;
    // Keyboards and headphones have keys for it, too. At its end, a sound is paused as well.
    this.#audio.addEventListener("pause", () => this.#audio.ended || this.#setPaused(true));
    this.#audio.addEventListener("play", () => this.#setPaused(false));
  }

  /** @param {number} rate */
  set rate(rate) {
    this.#audio.defaultPlaybackRate = this.#audio.playbackRate = rate; // each new sound begins with the default
  }

  toggle() {
    const { isPaused } = this;
    this.#setPaused(!isPaused);
    if (!isPaused) this.#audio.pause();
    else if (this.#audio.src) this.#start();
  }

  /**
   * Play a sound to its end, or until it is aborted.
   * @param {Blob} sound
   * @param {AbortSignal} signal
   */
  async play(sound, signal) {
    const url = URL.createObjectURL(sound);
    const listening = new AbortController();
    const options = { signal: listening.signal };
    try {
      await new Promise((resolve, reject) => {
        signal.addEventListener("abort", resolve, options);
        this.#audio.addEventListener("ended", resolve, options);
        this.#audio.addEventListener("error", () => reject(unreadableError()), options);
        this.#audio.src = url;
        if (!this.isPaused) this.#start();
      });
    } finally {
      listening.abort();
      this.#audio.removeAttribute("src");
      this.#audio.load(); // it falls silent, and lets the sound go
      URL.revokeObjectURL(url);
    }
  }

  async #start() {
    try {
      await this.#audio.play();
    } catch (error) {
      // A browser may want a press of a button for each page: pausing lets the reader press one.
      if (/** @type {DOMException} */ (error).name === "NotAllowedError") this.#setPaused(true);
    }
  }

  /** @param {boolean} isPaused */
  #setPaused(isPaused) {
    if (this.isPaused === isPaused) return;
    this.isPaused = isPaused;
    this.#onPause();
  }
}
