/**
 * Dictate a message, loaded on demand: the button records until it is pressed again, or while it is held down. The site
 * writes down what was said; the browser's own recogniser isn't used, because it sends speech to the browser's maker.
 */

import { ApiError } from "../../api/errors.js";
import { transcribe } from "../../api/transcription.js";
import { record } from "../../browser/microphone.js";
import { onDemand } from "../../browser/on_demand.js";
import { t } from "../../lib/i18n.js";
import { DictationStrip } from "./dictation_strip.js";

const readingAloud = onDemand("reading_aloud");
const HOLD_MS = 500;
const TICK_MS = 100;
const MAX_SECONDS = 600;
const MAX_BYTES = 3_000_000; // some browsers ignore how many are wanted, and a request has 4 MB by default

/**
 * @typedef {object} Parts
 * @property {HTMLFormElement} form the composer's
 * @property {import("./composer.js").Composer} composer
 * @property {import("../ui/status.js").Status} status
 * @property {import("../../browser/browser_env.js").BrowserEnv} env
 * @property {AbortSignal} signal ends it
 */

/** @type {WeakMap<HTMLFormElement, Dictation>} */
const dictations = new WeakMap();

/** Handle a press of the button. @param {PointerEvent} event of type pointerdown or click @param {Parts} parts */
export function dictate(event, parts) {
  const dictation = dictations.get(parts.form) ?? new Dictation(parts);
  dictations.set(parts.form, dictation);
  if (event.type === "click") dictation.clicked(event);
  else if (event.button === 0) dictation.pressed(event);
}

class Dictation {
  #parts;
  #button;
  #strip;
  /** @type {"idle" | "opening" | "recording" | "writing" | "failed"} */
  #state = "idle";
  /** @type {import("../../browser/microphone.js").Recording | null} */
  #recording = null;
  /** @type {Blob | null} what couldn't be written down yet */
  #sound = null;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #timer;
  #startedMs = 0;
  /** When the press that began the recording began; null if another one did. */
  #pressedMs = /** @type {number | null} */ (null);

  /** @param {Parts} parts */
  constructor(parts) {
    this.#parts = parts;
    this.#button = /** @type {HTMLElement} */ (parts.form.querySelector("#dictate"));
    this.#strip = new DictationStrip(this.#button, {
      cancel: () => this.#cancel(),
      again: () => this.#sound && this.#write(this.#sound),
    });
    parts.signal.addEventListener("abort", () => this.#cancel());
  }

  /** @param {PointerEvent} event */
  pressed(event) {
    this.#pressedMs = this.#state === "idle" ? event.timeStamp : null;
    if (this.#state === "idle") this.#begin();
  }

  /** @param {PointerEvent} event */
  clicked(event) {
    const pressedMs = event.detail ? this.#pressedMs : null; // a key has no press before
    this.#pressedMs = null;
    if (pressedMs !== null && event.timeStamp - pressedMs < HOLD_MS) return; // it has just begun
    if (this.#state === "idle") this.#begin();
    else if (this.#state === "recording") this.#finish();
    else if (this.#state === "opening") this.#cancel();
  }

  async #begin() {
    this.#become("opening");
    // The microphone would hear an answer that is being read.
    if (document.getElementById("reading-aloud")) readingAloud().then((module) => module?.stop());
    try {
      const recording = await record();
      if (this.#state !== "opening") return recording.cancel();
      this.#recording = recording;
    } catch (error) {
      this.#become("idle");
      return this.#parts.status.hint(reasonOf(error));
    }
    this.#become("recording");
    this.#startedMs = performance.now();
    this.#strip.listen();
    this.#parts.status.say(t("Listening…"));
    this.#timer = setInterval(() => this.#tick(), TICK_MS);
  }

  #tick() {
    const seconds = (performance.now() - this.#startedMs) / 1000;
    this.#strip.show(seconds, this.#recording?.level() ?? 0);
    if (seconds >= MAX_SECONDS || (this.#recording?.size() ?? 0) >= MAX_BYTES) this.#finish();
  }

  async #finish() {
    const recording = this.#recording;
    if (this.#state !== "recording" || !recording) return;
    clearInterval(this.#timer);
    this.#become("writing");
    this.#strip.write();
    const sound = await recording.finish();
    if (this.#recording !== recording) return; // it was cancelled
    this.#recording = null;
    if (sound.size) return this.#write(sound);
    this.#cancel();
    this.#parts.status.hint(t("No words were heard."));
  }

  /** @param {Blob} sound kept until it is written down, so that nothing has to be said twice */
  async #write(sound) {
    this.#sound = sound;
    this.#become("writing");
    this.#strip.write();
    const { composer, env, form, status } = this.#parts;
    try {
      const text = await transcribe(env, sound, document.documentElement.lang);
      if (this.#sound !== sound) return; // it was cancelled
      this.#cancel();
      composer.focus();
      if (text) insert(/** @type {HTMLTextAreaElement} */ (form.elements.namedItem("message")), text);
      if (text) status.say(t("Added to the message."));
      else status.hint(t("No words were heard."));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (this.#sound !== sound) return;
      this.#become("failed");
      this.#strip.fail(error.message);
    }
  }

  #cancel() {
    clearInterval(this.#timer);
    this.#recording?.cancel();
    this.#recording = this.#sound = null;
    this.#strip.hide();
    this.#become("idle");
  }

  /** @param {"idle" | "opening" | "recording" | "writing" | "failed"} state */
  #become(state) {
    this.#state = state;
    this.#button.setAttribute("aria-pressed", String(state === "recording"));
  }
}

/** Write at the caret, as if typed, so that it can be undone. @param {HTMLTextAreaElement} area @param {string} text */
function insert(area, text) {
  const before = area.value.slice(0, area.selectionStart);
  const words = before && !/\s$/.test(before) ? ` ${text}` : text;
  if (document.activeElement === area && document.execCommand("insertText", false, words)) return;
  area.setRangeText(words, area.selectionStart, area.selectionEnd, "end"); // without the keyboard of a touch screen
  area.dispatchEvent(new InputEvent("input", { bubbles: true }));
}

/** @param {unknown} error of `record` */
function reasonOf(error) {
  const name = error instanceof DOMException ? error.name : "";
  if (name === "NotAllowedError") return t("The browser doesn't let this site use the microphone. Allow it in the site's permissions.");
  if (name === "NotFoundError") return t("No microphone was found.");
  if (name === "NotSupportedError") return t("This browser can't record here. Dictation needs HTTPS.");
  return t("The microphone can't be used. Another program may be using it.");
}
