/**
 * Splits text that arrives in pieces into small blocks, so that a long answer stays cheap: the browser
 * lays out the last block again with every piece, never the whole. Pure, and append-only: a piece
 * only ever adds to the last block or opens new ones.
 *
 * Blank lines part paragraphs. A paragraph of many lines is parted further, at a line end, into
 * chunks. The line ends between blocks are not part of any block.
 */

/** @typedef {{opens: "" | "paragraph" | "chunk", text: string}} Addition */

const CHUNK_LENGTH = 1000;

export class Paragraphs {
  #length = 0; // of the last block
  #isOpen = false;
  #newlines = 0; // held back: what they mean shows with the next character

  /**
   * @param {string} piece
   * @returns {Addition[]}
   */
  append(piece) {
    /** @type {Addition[]} */
    const additions = [];
    for (const part of piece.replaceAll("\r\n", "\n").split(/(\n+)/)) {
      if (!part) continue;
      if (part[0] === "\n") this.#newlines += part.length;
      else additions.push(this.#add(part));
    }
    return additions;
  }

  /** @param {string} text without line ends */
  #add(text) {
    const newlines = this.#newlines;
    this.#newlines = 0;
    const opens = this.#opens(newlines);
    const line = opens ? text : "\n".repeat(newlines) + text;
    this.#length = opens ? line.length : this.#length + line.length;
    this.#isOpen = true;
    return { opens, text: line };
  }

  /**
   * @param {number} newlines
   * @returns {Addition["opens"]}
   */
  #opens(newlines) {
    if (!this.#isOpen || newlines > 1) return "paragraph";
    return newlines === 1 && this.#length > CHUNK_LENGTH ? "chunk" : "";
  }
}
