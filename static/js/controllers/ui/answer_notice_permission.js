/**
 * Ask the browser whether it shows notices of answers: only after a click, and only if the user wants them. The choice
 * is stored with the account; the permission, and the worker that shows them, in each browser.
 */

import { canShowNotices, installNoticeWorker, removeNoticeWorker } from "../../browser/notice_worker.js";
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
    this.#apply();
  }

  /** The user has made a choice. */
  async chosen() {
    if (this.#isWanted && canShowNotices()) await Notification.requestPermission();
    await this.#apply();
  }

  async #apply() {
    /** @type {NotificationPermission | "unsupported"} */
    let state = canShowNotices() ? Notification.permission : "unsupported";
    if (!this.#isWanted) await removeNoticeWorker();
    else if (state === "granted" && !(await installNoticeWorker())) state = "unsupported";
    this.#show(state);
  }

  get #isWanted() {
    return new FormData(this.#form).get("answer_notices") !== "off";
  }

  /** @param {NotificationPermission | "unsupported"} state */
  #show(state) {
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

/** @param {NotificationPermission | "unsupported"} state */
function wordsFor(state) {
  if (state === "unsupported") return t("This browser can't show notifications from this site.");
  if (state === "denied") return t("This browser blocks notifications from this site. Allow them in its settings.");
  return t("You haven't allowed notifications in this browser yet.");
}
