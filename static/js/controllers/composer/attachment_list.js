/** The files of a message that is being written, as chips that can be removed. */

import { t } from "../../lib/i18n.js";
import { splitFiles } from "../../lib/text_files.js";
import { factsOf } from "../transcript/attachment_view.js";

/** @typedef {import("../../lib/text_files.js").AttachedFile} AttachedFile */

export class AttachmentList {
  /** @type {AttachedFile[]} */
  files = [];
  /** @type {HTMLElement[]} stand for images that are being added */
  waiting = [];
  #list;
  #onChange;

  /**
   * @param {HTMLElement | null} list null if the page takes no files
   * @param {() => void} onChange called when the user removes a file
   */
  constructor(list, onChange) {
    this.#list = list;
    this.#onChange = onChange;
  }

  /** Show these files and no others. @param {AttachedFile[]} files */
  show(files) {
    this.files = files;
    this.#render();
  }

  /** @param {string} block a file as a part of the message */
  add(block) {
    this.show([...this.files, ...splitFiles(block).files]);
  }

  /** Show that a file is being added. @param {string} words @returns {() => void} ends it */
  waitFor(words) {
    const chip = document.createElement("li");
    chip.className = "attachment";
    chip.ariaBusy = "true";
    chip.textContent = words;
    this.waiting.push(chip);
    this.#render();
    return () => {
      this.waiting = this.waiting.filter((each) => each !== chip);
      this.#render();
    };
  }

  #render() {
    if (!this.#list) return;
    this.#list.hidden = this.files.length + this.waiting.length === 0;
    this.#list.replaceChildren(...this.files.map((file) => this.#chip(file)), ...this.waiting);
    this.#list.dispatchEvent(new Event("attachments", { bubbles: true }));
  }

  /** @param {AttachedFile} file */
  #chip(file) {
    const chip = document.createElement("li");
    const remove = document.createElement("button");
    chip.className = "attachment";
    remove.type = "button";
    remove.className = "icon-button";
    remove.textContent = "×";
    remove.ariaLabel = t("Remove {name}", { name: file.name });
    remove.addEventListener("click", () => this.#remove(file));
    chip.append(...factsOf(file), remove);
    return chip;
  }

  /** @param {AttachedFile} file */
  #remove(file) {
    const place = this.files.indexOf(file);
    this.show(this.files.filter((each) => each !== file));
    /** @type {NodeListOf<HTMLElement> | undefined} */
    const buttons = this.#list?.querySelectorAll("button");
    buttons?.[Math.min(place, buttons.length - 1)]?.focus();
    this.#onChange();
  }
}
