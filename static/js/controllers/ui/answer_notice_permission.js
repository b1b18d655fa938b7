/**
 * Ask the browser whether it shows notices of answers: only after a click, and only if the user wants them. The choice
 * is stored with the account, the permission in each browser.
 */

import { t } from "../../lib/i18n.js";

export class AnswerNoticePermission {
  #form;
  #note;

  /**
   * @param {HTMLFormElement} form
   * @param {HTMLElement} note says what is missing
   */
  constructor(form, note) {
    this.#form = form;
    this.#note = note;
    this.#show();
  }

  /** The user has made a choice. */
  async chosen() {
    if (this.#isWanted && "Notification" in window) await Notification.requestPermission();
    this.#show();
  }

  get #isWanted() {
    return new FormData(this.#form).get("answer_notices") !== "off";
  }

  #show() {
    const state = canShow() ? Notification.permission : "unsupported";
    this.#note.hidden = !this.#isWanted || state === "granted";
    this.#note.replaceChildren(this.#note.hidden ? "" : wordsFor(state));
    if (!this.#note.hidden && state === "default") this.#note.append(" ", this.#button());
  }

  #button() {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "button";
    button.textContent = t("Allow notifications");
    button.addEventListener("click", () => this.chosen());
    return button;
  }
}

function canShow() {
  // Chrome on Android has `Notification`, but shows none without a service worker.
  return "Notification" in window && !/Android.*Chrome/.test(navigator.userAgent);
}

/** @param {NotificationPermission | "unsupported"} state */
function wordsFor(state) {
  if (state === "unsupported") return t("This browser can't show notifications from this site.");
  if (state === "denied") return t("This browser blocks notifications from this site. Allow them in its settings.");
  return t("You haven't allowed notifications in this browser yet.");
}
