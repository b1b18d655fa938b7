/**
 * Read sentences in order: while one is played, the sound of the next one is fetched, and no further one. A text that is
 * still growing is waited for. Nothing is repeated: the first error ends the reading.
 */

/**
 * @typedef {object} Sentence
 * @property {string} text
 * @property {number} start where it is in the whole text
 * @property {number} end
 *
 * @typedef {object} ReaderParts
 * @property {(position: number) => Sentence | null | undefined} sentenceAfter null if there is none; undefined if it is
 *   not there yet
 * @property {(text: string, signal: AbortSignal) => Promise<Blob>} fetchSound
 * @property {(sound: Blob, signal: AbortSignal) => Promise<unknown>} play resolves when it has ended
 * @property {(sentence: Sentence) => void} begin
 */

export class SentenceReader {
  #parts;
  #ending = new AbortController();
  /** Ends the wait for more text. */
  #wake = () => {};

  /** @param {ReaderParts} parts */
  constructor(parts) {
    this.#parts = parts;
  }

  /** Read to the end, or until it is stopped. Throws what went wrong. */
  async read() {
    const { signal } = this.#ending;
    try {
      let coming = this.#fetchAfter(0);
      for (let next; (next = await coming) && !signal.aborted; ) {
        coming = this.#fetchAfter(next.sentence.end);
        coming.catch(() => {}); // it is thrown when its turn comes
        this.#parts.begin(next.sentence);
        await this.#parts.play(next.sound, signal);
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      this.stop();
    }
  }

  /** There is more text, or it has ended. */
  update() {
    this.#wake();
  }

  stop() {
    this.#ending.abort();
    this.#wake();
  }

  /** @param {number} position */
  async #fetchAfter(position) {
    const { signal } = this.#ending;
    const sentence = await this.#sentenceAfter(position);
    if (!sentence || signal.aborted) return null;
    return { sentence, sound: await this.#parts.fetchSound(sentence.text, signal) };
  }

  /** @param {number} position */
  async #sentenceAfter(position) {
    while (!this.#ending.signal.aborted) {
      const sentence = this.#parts.sentenceAfter(position);
      if (sentence !== undefined) return sentence;
      await new Promise((resolve) => (this.#wake = () => resolve(null)));
    }
    return null;
  }
}
