/** The message box. It reports what to send or stop, and never discards text by itself. */

import { NEW_PROMPT_URL } from "../../api/urls.js";
import { isSendKey } from "../../browser/send_key.js";
import { isTouch } from "../../browser/touch.js";
import { t } from "../../lib/i18n.js";
import { joinFiles, onItsOwnLine, splitFiles } from "../../lib/text_files.js";
import { AttachmentList } from "./attachment_list.js";

/**
 * @typedef {object} ComposerHandlers
 * @property {(text: string) => void} send
 * @property {() => void} stop
 * @property {(text: string) => void} write
 * @property {(text: string) => boolean} wait called when a message is to be sent while an answer is running; returns whether
 *   it is queued
 */

const SETTLE_MS = 300; // a second click right after the button has changed from Send to Stop is unintended
const MAX_ROWS = 8;

export class Composer {
  isBusy = false;
  /** Whether the message can't be sent yet; file_reader.js says so, and why. */
  holds = () => false;
  #form;
  #area;
  #button;
  #modeSince = -Infinity;
  #handlers;
  #sendsOnEnter;
  #attachments;
  /** @type {HTMLElement | null} queues the message while an answer is running; null if the page queues nothing */
  #queueButton;

  /**
   * @param {HTMLFormElement} form
   * @param {ComposerHandlers} handlers
   * @param {boolean} [sendsOnEnter] if false, Enter starts a new line; with Ctrl or ⌘ it always sends
   */
  constructor(form, handlers, sendsOnEnter = true) {
    this.#form = form;
    this.#handlers = handlers;
    this.#area = /** @type {HTMLTextAreaElement} */ (form.elements.namedItem("message"));
    this.#button = /** @type {HTMLButtonElement} */ (form.querySelector(".send-button"));
    this.#attachments = new AttachmentList(form.querySelector(".attachments"), () => this.#written());
    this.#queueButton = form.querySelector("#queue");
    this.#queueButton?.addEventListener("click", () => this.#whileBusy());
    this.#area.enterKeyHint = isTouch() || !sendsOnEnter ? "enter" : "send";
    this.#sendsOnEnter = sendsOnEnter;
    form.addEventListener("submit", (event) => this.#submitted(event));
    this.#area.addEventListener("beforeinput", (event) => this.#holdDirection(event));
    this.#area.addEventListener("input", () => this.#written());
    this.#area.addEventListener("keydown", (event) => this.#pressed(event));
    this.#area.addEventListener("keyup", ({ key }) => key === "Tab" && form.setAttribute("data-keyboard", "")); // it led here
    this.#area.addEventListener("blur", () => form.removeAttribute("data-keyboard"));
  }

  /** The message: what is written, and the attached files. */
  get text() {
    return joinFiles(this.#area.value, this.#attachments.files);
  }

  set text(message) {
    const { text, files } = splitFiles(message);
    this.#area.value = files.length ? text.trimEnd() : text;
    this.#attachments.show(files);
    this.#written();
  }

  /** Whether there is nothing to send; a "/" alone only asks for the list of prompts. */
  get #isEmpty() {
    return ["", "/"].includes(this.text.trim());
  }

  get files() {
    return this.#attachments.files;
  }

  /** How many files are being added. */
  get waiting() {
    return this.#attachments.waiting.length;
  }

  /** Show that a file is being added. @param {string} words @returns {() => void} ends it */
  waitFor(words) {
    return this.#attachments.waitFor(words);
  }

  /** @param {string} block a file as a part of the message: see text_files.js */
  attach(block) {
    this.#attachments.add(block);
    this.#written();
    this.focus();
  }

  /**
   * Insert at the caret, or replace the selection, as if typed, so that it can be undone.
   * @param {string} block
   * @param {boolean} [isLast] after the text instead of at the caret
   */
  insert(block, isLast = false) {
    const area = this.#area;
    area.focus();
    if (isLast) area.setSelectionRange(area.value.length, area.value.length);
    const text = onItsOwnLine(area.value.slice(0, area.selectionStart), block);
    if (document.execCommand("insertText", false, text)) return;
    area.setRangeText(text, area.selectionStart, area.selectionEnd, "end");
    this.#written();
  }

  /** Open the page that saves the text as a prompt. The text stays in the box too. */
  saveAsPrompt() {
    Object.assign(this.#form, { method: "post", action: NEW_PROMPT_URL });
    this.#form.submit();
  }

  /** Focus the text, except on touch screens, where the keyboard would cover the answer. */
  focus() {
    if (isTouch()) return;
    this.#area.focus({ preventScroll: true });
  }

  /** Send what is written, or queue it while an answer is running. */
  submit() {
    if (this.isBusy) this.#whileBusy();
    else this.#send();
  }

  /** @param {boolean} isBusy whether an answer is running, so that the button stops it */
  setBusy(isBusy) {
    this.isBusy = isBusy;
    this.#modeSince = performance.now();
    this.#button.dataset.mode = isBusy ? "stop" : "send";
    this.#button.dataset.command = isBusy ? "stop" : "";
    this.#button.ariaLabel = isBusy ? t("Stop the answer") : t("Send");
    this.#updateButton();
  }

  /** @param {SubmitEvent} event */
  #submitted(event) {
    event.preventDefault();
    if (performance.now() - this.#modeSince < SETTLE_MS) return;
    if (this.isBusy) this.#handlers.stop();
    else this.#send();
    this.focus(); // the button may be disabled now
  }

  #send() {
    const text = this.text;
    if (this.#isEmpty || this.holds()) return;
    this.#empty();
    this.#handlers.send(text);
  }

  #whileBusy() {
    const { text } = this;
    if (this.#isEmpty || this.holds() || !this.#handlers.wait(text)) return;
    this.#empty();
    this.#written();
  }

  #empty() {
    this.#area.value = "";
    this.#attachments.show([]);
    this.#fit();
  }

  /**
   * While text is pasted, fix the direction: the browser would compute it again for each line.
   * @param {InputEvent} event
   */
  #holdDirection({ inputType }) {
    if (inputType === "insertFromPaste") this.#area.dir = getComputedStyle(this.#area).direction;
  }

  #written() {
    this.#area.dir = "auto";
    this.#fit();
    this.#updateButton();
    this.#handlers.write(this.text);
  }

  /** @param {KeyboardEvent} event */
  #pressed(event) {
    if (!isSendKey(event, this.#sendsOnEnter)) return;
    event.preventDefault();
    this.submit();
  }

  #updateButton() {
    const isIdle = !this.isBusy && this.#isEmpty;
    if (this.#queueButton) this.#queueButton.hidden = !this.isBusy || this.#isEmpty;
    this.#button.ariaDisabled = String(isIdle);
  }

  /** Adapt the height to the text in browsers without `field-sizing`. */
  #fit() {
    if (CSS.supports("field-sizing", "content")) return;
    this.#area.rows = 1;
    const line = parseFloat(getComputedStyle(this.#area).lineHeight);
    this.#area.rows = Math.min(MAX_ROWS, Math.max(1, Math.floor(this.#area.scrollHeight / line)));
  }
}
