/**
 * Read an answer aloud with the site's speech model, one at a time; loaded on first use as `reading_aloud`. The sentence
 * that is read is marked, where the browser has custom highlights (static/css/message/message-text.css).
 */

import { ApiError } from "../../api/errors.js";
import { fetchSpeech } from "../../api/speech.js";
import { t } from "../../lib/i18n.js";
import { SentenceReader } from "../../models/sentence_reader.js";
import { ReadingStrip, rateFrom } from "./reading_strip.js";
import { SoundPlayer } from "./sound_player.js";
import { SpokenText } from "./spoken_text.js";

const RATE = "reading-rate";
const HIGHLIGHT = "reading-aloud";
const TEXT = ".answer > .message-text";

/** @typedef {import("../../models/conversation.js").Exchange} Exchange */
/** @typedef {import("../../models/sentence_reader.js").Sentence} Sentence */

/**
 * @typedef {object} ReadingParts
 * @property {import("../../browser/browser_env.js").BrowserEnv} env
 * @property {import("../ui/status.js").Status} status
 * @property {import("../chat/chat_controller.js").ChatController} chat
 * @property {import("../../browser/safe_storage.js").SafeStorage} deviceStorage
 * @property {AbortSignal} signal ends it, because the page shows another chat
 */

/** @type {Reading | null} */
let current = null;

/** Read an answer from its beginning, instead of any other. @param {ReadingParts} parts @param {Exchange} exchange */
export async function readAloud(parts, exchange) {
  stop();
  if (parts.signal.aborted) return; // another chat was opened while this was loaded
  const reading = new Reading(parts, exchange);
  current = reading;
  parts.status.say(reading.label);
  try {
    const hasText = await reading.read();
    if (!hasText) parts.status.hint(t("There is no text to read aloud in this answer."));
  } catch (error) {
    // Not `status.hintError`: `status` is from another bundle, which has its own ApiError class.
    if (!(error instanceof ApiError)) throw error;
    parts.status.hint(error.message);
  } finally {
    reading.end();
    if (current === reading) current = null;
  }
}

/** Stop reading, if an answer is being read. */
export function stop() {
  current?.end();
}

class Reading {
  #find;
  #strip;
  #reader;
  /** @type {Sentence | null} the one that is read now */
  #sentence = null;
  /** @type {Range | null} where it is marked */
  #range = null;
  /** @type {string | undefined} the text of that range */
  #marked;
  #hasEnded = false;
  #observer = new MutationObserver(() => this.#changed());

  /** @param {ReadingParts} parts @param {Exchange} exchange */
  constructor({ env, chat, deviceStorage, signal }, exchange) {
    const { answer } = exchange;
    // An answer that is continued gets another element, and the exchange keeps it.
    this.#find = () => (exchange.answer === answer ? chat.transcript.rootOf(exchange)?.querySelector(TEXT) : null);
    const rate = rateFrom(deviceStorage.read(RATE));
    const player = new SoundPlayer(() => this.#strip.show(player.isPaused));
    player.rate = rate;
    this.#strip = new ReadingStrip(rate, {
      pause: () => player.toggle(),
      speed: (chosen) => {
        player.rate = chosen;
        deviceStorage.write(RATE, String(chosen));
      },
      stop: () => this.end(),
    });
    const language = document.documentElement.lang;
    this.#reader = new SentenceReader({
      sentenceAfter: (position) => {
        const text = this.#find();
        if (!text) return null;
        if (!answer.isOver && !text.matches(".formatted")) return undefined;
        return new SpokenText(text).sentenceAfter(position, !answer.isOver, language);
      },
      fetchSound: (words, aborted) => fetchSpeech(env, words, language, aborted),
      play: (sound, aborted) => player.play(sound, aborted),
      begin: (sentence) => {
        this.#sentence = sentence;
        this.#mark(sentence);
      },
    });
    signal.addEventListener("abort", () => this.end());
    this.#show();
    this.#observer.observe(chat.transcript.element, {
      subtree: true, childList: true, characterData: true, attributeFilter: ["data-state"],
    }); // prettier-ignore
  }

  #show() {
    const { root } = this.#strip;
    document.getElementById("composer")?.before(root);
    const covered = (this.#button?.getBoundingClientRect().bottom ?? 0) - root.getBoundingClientRect().top;
    if (covered > 0) scrollBy({ top: covered + root.offsetHeight / 2, behavior: "instant" });
  }

  /** The button of the answer's menu. @returns {HTMLElement | null | undefined} */
  get #button() {
    return this.#find()?.parentElement?.querySelector('[data-part="more"]');
  }

  get label() {
    return this.#strip.root.ariaLabel ?? "";
  }

  /** @returns {Promise<boolean>} whether there is something to read; true if it was stopped before */
  async read() {
    await this.#reader.read();
    return this.#hasEnded || this.#sentence !== null;
  }

  end() {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#reader.stop();
    this.#observer.disconnect();
    this.#mark(null);
    const hadFocus = this.#strip.root.contains(document.activeElement);
    this.#strip.root.remove();
    if (hadFocus) this.#button?.focus({ preventScroll: true });
  }

  /** The answer has more text, has ended, or is no longer on the page. */
  #changed() {
    if (!this.#find()) return this.end();
    this.#reader.update();
    // A patch may have replaced the nodes, which shrinks the range.
    if (this.#sentence && this.#range?.toString() !== this.#marked) this.#mark(this.#sentence);
  }

  /** @param {Sentence | null} sentence */
  #mark(sentence) {
    if (!globalThis.Highlight) return;
    const text = sentence && this.#find();
    this.#range = text ? new SpokenText(text).rangeOf(sentence) : null;
    this.#marked = this.#range?.toString();
    if (this.#range) CSS.highlights.set(HIGHLIGHT, new Highlight(this.#range));
    else CSS.highlights.delete(HIGHLIGHT);
  }
}
