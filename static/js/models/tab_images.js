/**
 * The images of a temporary chat, which only the page's memory has: a reload forgets them. Texts name them like stored
 * ones. Modules that are loaded on demand have their own copy of this one, so the images are kept with the page.
 */

import { splitFiles } from "../lib/text_files.js";

/** Of older questions, so many images are sent again, the newest first. */
const MAX_OLDER = 8;
const PLACE = Symbol.for("runnel.tab-images");

/** @typedef {{url: string, bytes: number}} TabImage `url` has its content */

/** @typedef {import("../types.js").ContentPart} ContentPart */

export class TabImages {
  #maxBytes;
  /** @type {Map<string, TabImage>} */
  #images = new Map();

  /** @param {number} maxBytes of those that one request may have */
  constructor(maxBytes) {
    this.#maxBytes = maxBytes;
  }

  /** @param {string} id @param {TabImage} image */
  add(id, image) {
    this.#images.set(id, image);
  }

  /** @param {string} id */
  find(id) {
    return this.#images.get(id);
  }

  /** Forget all images but those of a message. @param {string} message */
  keepOnly(message) {
    const kept = new Set(splitFiles(message).files.map(({ image }) => image));
    for (const id of this.#images.keys()) if (!kept.has(id)) this.#images.delete(id);
  }

  /**
   * Return what a model reads of each question. The last one has its images; older ones have theirs if there is room,
   * otherwise their names.
   * @param {string[]} questions oldest first
   * @returns {(string | ContentPart[])[]}
   */
  contentsOf(questions) {
    let [room, count] = [this.#maxBytes, MAX_OLDER];
    const contents = questions.toReversed().map((question, age) => {
      const images = this.#imagesOf(question);
      if (!images.length) return withoutImages(question);
      room -= images.reduce((sum, { bytes }) => sum + bytes, 0);
      if (age) count -= images.length;
      return age && (room < 0 || count < 0) ? withoutImages(question) : this.#parts(question);
    });
    return contents.reverse();
  }

  /** @param {string} question */
  #imagesOf(question) {
    return splitFiles(question).files.flatMap(({ image }) => this.#images.get(image ?? "") ?? []);
  }

  /** @param {string} question @returns {ContentPart[]} */
  #parts(question) {
    const text = withoutImages(question, (id) => !this.#images.has(id));
    const images = this.#imagesOf(question).map(({ url }) => ({ type: /** @type {const} */ ("image_url"), image_url: { url } }));
    return text ? [{ type: "text", text }, ...images] : images;
  }
}

/** Keep the images of this page in its memory. @param {number} maxBytes */
export function keepImagesInTab(maxBytes) {
  const images = new TabImages(maxBytes);
  Object.assign(globalThis, { [PLACE]: images });
  return images;
}

/** Return them; undefined if the server stores this page's images. @returns {TabImages | undefined} */
export const imagesInTab = () => /** @type {Record<symbol, TabImages>} */ (/** @type {unknown} */ (globalThis))[PLACE];

/**
 * Return a question without its images; those of which only the name is left are noted at its end.
 * @param {string} question
 * @param {(id: string) => boolean} [isNoted] by default all are
 */
export function withoutImages(question, isNoted = () => true) {
  const { text, files } = splitFiles(question);
  if (!files.some(({ image }) => image)) return question;
  const parts = files.map(({ name, block, image }) => {
    if (!image) return block;
    return isNoted(image) ? `[image: ${name}]\n` : "";
  });
  return (text + parts.join("")).trimEnd();
}
