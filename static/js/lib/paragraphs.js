/**
 * Split streamed text into small blocks, so that long answers stay cheap: the browser only lays out the last block
 * again. Pure and append-only: text only ever extends the last block or starts new ones.
 *
 * Blank lines separate paragraphs. A paragraph of many lines is split further into chunks, at line ends. The line ends
 * between blocks belong to none.
 */

/** @typedef {{opens: "" | "paragraph" | "chunk", text: string}} Addition */

const CHUNK_LENGTH = 1000;

export class Paragraphs {
  #length = 0; // whether the last block can grow
  #isOpen = false;
  #newlines = 0; // line ends held back until the next character decides their meaning

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
