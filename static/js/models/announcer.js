/**
 * What a screen reader user hears of an answer: its start, its text as configured, and how it ended. Text is announced
 * in finished paragraphs or all at once, never by token.
 */

import { t } from "../lib/i18n.js";
import { FENCE, speakableText } from "../lib/speakable_text.js";

export class Announcer {
  #say;
  #mode;
  #said = 0; // where in the text that starts which was not said yet
  #read = 0; // whole lines up to here were looked at
  #fence = "";

  /**
   * @param {(words: string) => void} say
   * @param {string} [mode] streaming, done or off
   */
  constructor(say, mode = "done") {
    this.#say = say;
    this.#mode = mode;
  }

  /** @param {string} text what there is already, if the answer goes on */
  begin(text) {
    this.#said = this.#read = text.length;
    this.#fence = "";
    this.#say(t("Replying…"));
  }

  /** The answer is this long by now. @param {string} text */
  update(text) {
    if (this.#mode !== "streaming") return;
    const end = this.#lastBlank(text);
    if (end > this.#said) this.#sayUpTo(end, text);
  }

  /** @param {string} text @param {string} words how it ended */
  end(text, words) {
    if (this.#mode !== "off") this.#sayUpTo(text.length, text);
    this.#say(words);
  }

  /** @param {number} end @param {string} text */
  #sayUpTo(end, text) {
    const words = speakableText(text.slice(this.#said, end));
    this.#said = end;
    if (words) this.#say(words);
  }

  /** The end of the last blank line outside of code, after which something new begins. @param {string} text */
  #lastBlank(text) {
    let last = 0;
    for (let end; (end = text.indexOf("\n", this.#read) + 1) > 0; this.#read = end) {
      const line = text.slice(this.#read, end);
      const mark = line.match(FENCE)?.[1] ?? "";
      if (this.#fence ? mark.startsWith(this.#fence) : mark) this.#fence = this.#fence ? "" : mark;
      else if (!this.#fence && !line.trim()) last = end;
    }
    return last;
  }
}
