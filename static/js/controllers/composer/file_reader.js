/** Read files for the message, loaded on demand: text and documents become text, images are uploaded or kept in the tab. */

import { readDocument } from "../../api/documents.js";
import { isImage, keepImage, uploadImage } from "../../api/images.js";
import { formatKilobytes } from "../../lib/formatting.js";
import { t } from "../../lib/i18n.js";
import { decodeText, fencedFile, imageLine, MAX_FILE_BYTES } from "../../lib/text_files.js";
import { imagesInTab } from "../../models/tab_images.js";

export class ComposerFiles {
  #parts;
  #warning = document.createElement("p");
  #words = document.createElement("span");
  #use = document.createElement("button");
  #maxImages;
  #maxBytes;
  #maxDocumentBytes;
  /** Documents are sent one after the other: the server reads one at a time, and lets few wait. */
  #lastRead = /** @type {Promise<unknown>} */ (Promise.resolve());

  /** @param {import("./file_input.js").FileInputParts} parts */
  constructor(parts) {
    const { form, composer } = parts;
    this.#parts = parts;
    this.#maxImages = Number(form.dataset.maxImages);
    this.#maxBytes = Number(form.dataset.maxImageBytes);
    this.#maxDocumentBytes = Number(form.dataset.maxDocumentBytes);
    this.#warning.id = "image-warning";
    this.#warning.className = "composer-notice";
    this.#warning.dataset.tone = "warn";
    this.#warning.hidden = true;
    this.#warning.append(this.#words, " ", this.#use);
    form.before(this.#warning);
    this.#use.type = "button";
    this.#use.className = "button";
    this.#use.addEventListener("click", () => {
      parts.models.choose(this.#use.value);
      composer.focus();
    });
    composer.holds = () => this.#holds();
  }

  /** @param {File[]} files */
  async add(files) {
    const { composer, status } = this.#parts;
    const problems = await Promise.all(files.map((file) => (isImage(file) ? this.#addImage(file) : this.#addText(file))));
    const problem = problems.filter(Boolean).join(" ");
    if (problem) status.hint(problem); // set the status last, because a change of the message clears it
    composer.focus();
  }

  /** Say if the chosen model can't read the images of the message, and offer one that can. */
  check() {
    const { models } = this.#parts;
    const seeing = this.#canSee ? undefined : models.options.find(({ value }) => models.abilitiesOf(value)?.vision);
    const isShown = this.#images.length > 0 && !this.#canSee;
    const text = isShown ? t("{model} can't read images.", { model: models.nameOf(models.chosen) }) : "";
    if (this.#words.textContent === text) return;
    this.#words.textContent = text;
    this.#warning.hidden = !isShown;
    this.#use.hidden = !seeing;
    this.#use.value = seeing?.value ?? "";
    this.#use.textContent = seeing ? t("Use {model}", { model: seeing.text }) : "";
    if (isShown) this.#parts.status.say(text);
  }

  get #images() {
    return this.#parts.composer.files.filter(({ image }) => image);
  }

  get #canSee() {
    const { models } = this.#parts;
    return Boolean(models.abilitiesOf(models.chosen)?.vision);
  }

  /** Return whether the message has to wait, and say why. */
  #holds() {
    const { composer, models, status } = this.#parts;
    if (composer.waiting) {
      status.hint(t("A file is still being added."));
      return true;
    }
    if (!this.#images.length || this.#canSee) return false;
    status.hint(t("{model} can't read images.", { model: models.nameOf(models.chosen) }));
    this.#use.focus();
    return true;
  }

  /** Return what went wrong; empty if nothing did. @param {File} file */
  async #addText(file) {
    const { composer } = this.#parts;
    const { name, size } = file;
    if (size > this.#maxDocumentBytes) return tooLarge(name, this.#maxDocumentBytes);
    const content = size <= MAX_FILE_BYTES ? await file.arrayBuffer().catch(() => null) : null;
    const text = content && !name.endsWith(".eml") ? decodeText(new Uint8Array(content)) : null;
    if (text === null) return this.#addDocument(file);
    composer.attach(fencedFile(name, text));
    return "";
  }

  /** Return what went wrong, or what is missing; empty if all of it was added. @param {File} file */
  async #addDocument(file) {
    const { composer, env, status } = this.#parts;
    const { name } = file;
    const done = composer.waitFor(t("Reading {name}…", { name }));
    const found = await this.#inTurn(() => readDocument(env, file, !imagesInTab()));
    done();
    if (found instanceof Error) return `${name}: ${found.message}`;
    composer.attach(fencedFile(name, found.text, found.file));
    const { pages, pages_read: read, is_cut: isCut } = found;
    if (found.storage_full) return t("Your storage is full, so only the text of {name} was added.", { name });
    if (!isCut) {
      status.say(t("{name} was added.", { name }));
      return "";
    }
    return pages ? t("{name} is long. Its first {read} of {pages} pages were added.", { name, read, pages }) : t("{name} is long. Only its beginning was added.", { name });
  }

  /**
   * @template T
   * @param {() => Promise<T>} read which does not reject
   * @returns {Promise<T>}
   */
  #inTurn(read) {
    const reading = this.#lastRead.then(read);
    this.#lastRead = reading;
    return reading;
  }

  /** Return what went wrong; empty if nothing did. @param {File} file */
  async #addImage(file) {
    const { composer, env, models, status } = this.#parts;
    const { name } = file;
    const inTab = imagesInTab();
    const isPossible = this.#maxImages && models.options.some(({ value }) => models.abilitiesOf(value)?.vision);
    if (!isPossible) return t("Images can't be added here.");
    if (this.#images.length + composer.waiting >= this.#maxImages) {
      return t("Too many images. The limit for one message is {most}.", { most: this.#maxImages });
    }
    const done = composer.waitFor(inTab ? t("Adding {name}…", { name }) : t("Uploading {name}…", { name }));
    const found = await (inTab ? keepImage(inTab, file, this.#maxBytes) : uploadImage(env, file, this.#maxBytes));
    done();
    if (found === null) return t("{name} isn't an image that can be read.", { name });
    if (found === "too_large") return tooLarge(name, this.#maxBytes);
    if (found instanceof Error) return found.message;
    composer.attach(imageLine(name, found.digest));
    status.say(t("{name} was added.", { name }));
    return "";
  }
}

/** @param {string} name @param {number} most */
function tooLarge(name, most) {
  return t("{name} is too large. The limit is {size}.", { name, size: formatKilobytes(most, 0) });
}
