/**
 * A short sound for a message that arrives while the chat is closed or hidden, if the site's owner offers it. It is
 * computed, so nothing is loaded. If the browser does not allow sound yet, there is none, also not later.
 */

const PARTS = [
  { hertz: 660, at: 0 },
  { hertz: 880, at: 0.12 },
];
const LENGTH_SECONDS = 0.3;
const VOLUME = 0.12;
const PATIENCE_MS = 300; // a browser that does not allow sound leaves the promise pending
const PAUSE_MS = 2000;
const MUTED = "runnel-muted"; // "1" or "0"

export class MessageSound {
  #button;
  #storage;
  #isOpen = false;
  #lastMs = -Infinity;

  /**
   * @param {HTMLElement | null} button turns the sound on and off; null if the owner offers none
   * @param {Pick<Storage, "getItem" | "setItem">} storage remembers the choice for this website
   */
  constructor(button, storage) {
    this.#button = button;
    this.#storage = storage;
    this.refresh();
    button?.addEventListener("click", () => {
      this.#remember(!this.#isMuted);
      this.refresh();
      if (!this.#isMuted) this.#play();
    });
  }

  /** Show the choice, which the storage may have taken up only now. */
  refresh() {
    this.#button?.setAttribute("aria-pressed", String(!this.#isMuted));
  }

  get #isMuted() {
    return this.#storage.getItem(MUTED) === "1";
  }

  /** @param {boolean} isMuted */
  #remember(isMuted) {
    try {
      this.#storage.setItem(MUTED, isMuted ? "1" : "0");
    } catch {
      // Storage is full: keep the previous choice.
    }
  }

  /** @param {boolean} isOpen whether the chat is */
  show(isOpen) {
    this.#isOpen = isOpen;
  }

  /** A message has arrived. */
  announce() {
    const isSeen = this.#isOpen && !document.hidden;
    if (!this.#button || isSeen || this.#isMuted || performance.now() - this.#lastMs < PAUSE_MS) return;
    this.#lastMs = performance.now();
    this.#play();
  }

  async #play() {
    const audio = newContext();
    if (!audio) return;
    const timeout = new Promise((resolve) => setTimeout(resolve, PATIENCE_MS));
    await Promise.race([audio.resume().catch(() => {}), timeout]);
    if (audio.state !== "running") return void audio.close();
    const ends = PARTS.map(({ hertz, at }) => {
      const tone = new OscillatorNode(audio, { frequency: hertz });
      const volume = new GainNode(audio, { gain: 0 });
      const start = audio.currentTime + at;
      volume.gain.setValueAtTime(0, start);
      volume.gain.linearRampToValueAtTime(VOLUME, start + 0.01);
      volume.gain.exponentialRampToValueAtTime(0.001, start + LENGTH_SECONDS);
      tone.connect(volume).connect(audio.destination);
      tone.start(start);
      tone.stop(start + LENGTH_SECONDS);
      return new Promise((resolve) => (tone.onended = resolve));
    });
    await Promise.all(ends);
    audio.close();
  }
}

function newContext() {
  try {
    return new AudioContext();
  } catch {
    return null; // the browser has no sound
  }
}
