/**
 * Decode server-sent events as a pure function of bytes, following the WHATWG standard: lines end in LF, CR or CRLF; a
 * BOM counts only at the start; an event needs data. Chunks may be split anywhere, even within a character or a CRLF.
 * tests/fixtures/sse/ holds this decoder and chat/lib/sse.py to the same cases.
 */

/** @typedef {{data: string, event: string, id: string}} SseEvent */

export class EventTooLong extends Error {}

export class SseDecoder {
  /** The last valid `retry:`, if any. @type {number | null} */
  retryMilliseconds = null;
  // The BOM is removed here: Node 24's decoder also removes a second one if the bytes are split there.
  #utf8 = new TextDecoder("utf-8", { ignoreBOM: true });
  #started = false;
  #rest = "";
  #skipLf = false;
  /** @type {string[]} */
  #data = [];
  #dataLength = 0;
  #event = "";
  #id = "";
  #maxEventLength;

  /** @param {number} maxEventLength the maximum characters of an event or an unfinished line */
  constructor(maxEventLength = 16 * 1024 * 1024) {
    this.#maxEventLength = maxEventLength;
  }

  /**
   * Return the events that `bytes` complete.
   * @param {Uint8Array} bytes
   * @returns {SseEvent[]}
   */
  feed(bytes) {
    const events = [];
    for (const line of this.#lines(this.#utf8.decode(bytes, { stream: true }))) {
      if (line) this.#field(line);
      else if (this.#data.length) events.push(this.#dispatch());
      else this.#event = "";
    }
    return events;
  }

  /** @param {string} text */
  #lines(text) {
    if (!this.#started && text) {
      this.#started = true;
      if (text[0] === "\ufeff") text = text.slice(1);
    }
    if (this.#skipLf && text) {
      this.#skipLf = false;
      if (text[0] === "\n") text = text.slice(1);
    }
    if (!text) return [];
    if (text.endsWith("\r")) this.#skipLf = true;
    const lines = text.split(/\r\n|\r|\n/);
    lines[0] = this.#rest + lines[0];
    this.#rest = /** @type {string} */ (lines.pop());
    this.#check(this.#rest.length);
    return lines;
  }

  /** @param {string} line */
  #field(line) {
    const colon = line.indexOf(":");
    const name = colon < 0 ? line : line.slice(0, colon);
    let value = colon < 0 ? "" : line.slice(colon + 1);
    if (value.startsWith(" ")) value = value.slice(1);
    if (name === "data") {
      this.#dataLength += value.length + 1;
      this.#check(this.#dataLength);
      this.#data.push(value);
    } else if (name === "event") this.#event = value;
    else if (name === "id" && !value.includes("\0")) this.#id = value;
    else if (name === "retry" && /^[0-9]+$/.test(value)) this.retryMilliseconds = Number(value);
  }

  #dispatch() {
    const event = { data: this.#data.join("\n"), event: this.#event || "message", id: this.#id };
    this.#data = [];
    this.#dataLength = 0;
    this.#event = "";
    return event;
  }

  /** @param {number} length */
  #check(length) {
    if (length > this.#maxEventLength) throw new EventTooLong(`more than ${this.#maxEventLength}`);
  }
}
