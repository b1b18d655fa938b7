/** What is said about a dictation, in place of the tools: that it listens, how loud it is, and what can be done. */

import { t } from "../../lib/i18n.js";

export class DictationStrip {
  #strip = document.createElement("div");
  #words = document.createElement("span");
  #level = document.createElement("span");
  #cancel = button();
  #again = button();

  /** @param {HTMLElement} microphone it stands before @param {{cancel: () => void, again: () => void}} handlers */
  constructor(microphone, { cancel, again }) {
    this.#strip.className = "dictation";
    this.#words.className = "dictation-words";
    this.#level.className = "dictation-level";
    this.#level.ariaHidden = "true";
    this.#cancel.addEventListener("click", cancel);
    this.#again.addEventListener("click", again);
    this.#strip.append(this.#words, this.#level, this.#cancel, this.#again);
    this.hide();
    microphone.before(this.#strip);
  }

  listen() {
    this.#state("", t("Cancel"));
    this.#level.hidden = false;
    this.show(0, 0);
  }

  /** @param {number} seconds since it began @param {number} level from 0 to 1 */
  show(seconds, level) {
    const time = `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
    if (this.#words.textContent !== time) this.#words.textContent = time;
    this.#level.style.setProperty("--level", level.toFixed(2));
  }

  write() {
    this.#state(t("Writing down what you said…"), t("Cancel"));
  }

  /** @param {string} problem */
  fail(problem) {
    this.#state(problem, t("Discard"), t("Try again"));
    this.#strip.role = "alert";
    this.#strip.dataset.failed = "";
  }

  hide() {
    this.#strip.hidden = true;
  }

  /** @param {string} words @param {string} cancel @param {string} again labels of the buttons; without one, none is shown */
  #state(words, cancel, again = "") {
    this.#strip.role = null;
    delete this.#strip.dataset.failed;
    this.#words.textContent = words;
    this.#level.hidden = true;
    this.#cancel.textContent = cancel;
    this.#again.textContent = again;
    this.#again.hidden = !again;
    this.#strip.hidden = false;
  }
}

function button() {
  const made = document.createElement("button");
  made.type = "button";
  made.className = "button plain";
  return made;
}
