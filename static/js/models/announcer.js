/**
 * What a screen reader user hears of an answer: its start, its text as configured, and how it ended. Text is announced
 * in finished paragraphs or all at once, never by token.
 */

import { t } from "../lib/i18n.js";
import { FENCE, speakableText } from "../lib/speakable_text.js";

export class Announcer {
  #say;
  #mode;
  #said = 0; // where the text that was not announced yet starts
  #read = 0; // all complete lines up to here were scanned
  #fence = "";

  /**
   * @param {(words: string) => void} say
   * @param {string} [mode] streaming, done or off
   */
  constructor(say, mode = "done") {
    this.#say = say;
    this.#mode = mode;
  }

  /** @param {string} text the text so far, if an answer is continued */
  begin(text) {
    this.#said = this.#read = text.length;
    this.#fence = "";
    this.#say(t("Replying…"));
  }

  /** Announce what is new in the answer's text so far. @param {string} text */
  update(text) {
    if (this.#mode !== "streaming") return;
    const end = this.#lastBlank(text);
    if (end > this.#said) this.#sayUpTo(end, text);
  }

  /** @param {string} text @param {string} words says how it ended */
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

  /** Return the end of the last blank line outside code blocks. @param {string} text */
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
