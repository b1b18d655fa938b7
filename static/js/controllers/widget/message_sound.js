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
const MUTED = "runnel-muted";

export class MessageSound {
  #button;
  #isOpen = false;
  #lastMs = -Infinity;

  /** @param {HTMLElement | null} button turns the sound on and off; null if the owner offers none */
  constructor(button) {
    this.#button = button;
    this.#show(isMuted());
    button?.addEventListener("click", () => {
      const isNowMuted = !isMuted();
      remember(isNowMuted);
      this.#show(isNowMuted);
      if (!isNowMuted) this.#play();
    });
  }

  /** @param {boolean} isOpen whether the chat is */
  show(isOpen) {
    this.#isOpen = isOpen;
  }

  /** A message has arrived. */
  announce() {
    const isSeen = this.#isOpen && !document.hidden;
    if (!this.#button || isSeen || isMuted() || performance.now() - this.#lastMs < PAUSE_MS) return;
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

  /** @param {boolean} isNowMuted */
  #show(isNowMuted) {
    this.#button?.setAttribute("aria-pressed", String(!isNowMuted));
  }
}

function newContext() {
  try {
    return new AudioContext();
  } catch {
    return null; // the browser has no sound
  }
}

let isMutedHere = false; // if storage is blocked

/** In the frame's own storage for this website. */
function isMuted() {
  try {
    return localStorage.getItem(MUTED) === "1";
  } catch {
    return isMutedHere;
  }
}

/** @param {boolean} isNowMuted */
function remember(isNowMuted) {
  isMutedHere = isNowMuted;
  try {
    if (isNowMuted) localStorage.setItem(MUTED, "1");
    else localStorage.removeItem(MUTED);
  } catch {
    // Remembered on this page only.
  }
}
