/**
 * Storage of a frame that the browser denies all storage, as some do where third-party cookies are blocked: everything
 * is in memory, and an encrypted copy goes to the page around the frame, which gives it to its next frame. The page can't
 * read or change it, because only this frame gets the key. The copy is padded, so the page doesn't see either how much
 * is being written.
 */

import { MemoryStorage } from "./safe_storage.js";

const NONCE_BYTES = 12;
const PADDED_TO_BYTES = 1024;
/** Characters of a copy. The page's own data need room in its storage, too. */
const MAX_COPY_LENGTH = 1_000_000;
const SPACE = 0x20;

/**
 * @typedef {object} Page the one around the frame
 * @property {() => string} kept returns what an earlier frame had it keep; "" for nothing
 * @property {(copy: string) => void} keep has it keep a copy; "" for nothing
 * @property {() => string} key returns the visitor's key, 32 bytes in base64; "" while there is no session
 */

export class SealedStorage extends MemoryStorage {
  #page;
  /** @type {Promise<void> | null} */
  #opening = null;
  #changes = 0;
  #isSealing = false;
  #isForgotten = false;

  /** @param {Page} page */
  constructor(page) {
    super();
    this.#page = page;
  }

  /** Take up what the page has kept for this visitor, except where something else has been written. */
  open() {
    return (this.#opening ??= this.#unseal());
  }

  async #unseal() {
    const kept = this.#page.kept();
    const entries = kept ? await unsealed(kept, this.#page.key()) : [];
    if (this.#isForgotten) return;
    for (const [name, text] of entries) if (this.getItem(name) === null) super.setItem(name, text);
  }

  /** @override @param {string} name @param {string} text */
  setItem(name, text) {
    super.setItem(name, text);
    this.seal();
  }

  /** @override @param {string} name */
  removeItem(name) {
    super.removeItem(name);
    this.seal();
  }

  /** Have the page forget its copy, also one that is still being read. */
  forget() {
    this.#isForgotten = true;
    this.#changes++;
    this.#page.keep("");
  }

  /** Give the page a copy of the current content, encrypted with the current key. */
  async seal() {
    this.#changes++;
    if (this.#isSealing || !this.#page.key()) return;
    this.#isSealing = true;
    try {
      await this.open();
      for (let change = -1; change !== this.#changes; ) {
        change = this.#changes;
        const copy = await this.#copy();
        if (change === this.#changes && copy !== null) this.#page.keep(copy);
      }
    } finally {
      this.#isSealing = false;
    }
  }

  async #copy() {
    const names = Array.from({ length: this.length }, (_, index) => this.key(index) ?? "");
    const entries = names.map((name) => [name, this.getItem(name) ?? ""]).filter(([, text]) => text);
    return entries.length ? sealedCopy(entries, this.#page.key()) : "";
  }
}

/** Whether the browser denies this page its storage. */
export function isStorageDenied() {
  try {
    return !sessionStorage || !localStorage;
  } catch {
    return true;
  }
}

/**
 * Return the entries, encrypted; null if they are too long or can't be encrypted here.
 * @param {string[][]} entries
 * @param {string} key
 */
async function sealedCopy(entries, key) {
  const secret = await imported(key);
  if (!secret) return null;
  const plain = new TextEncoder().encode(JSON.stringify(entries));
  const padded = new Uint8Array(Math.ceil(plain.length / PADDED_TO_BYTES) * PADDED_TO_BYTES).fill(SPACE);
  padded.set(plain);
  const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
  const encrypted = await crypto.subtle.encrypt({ name: "AES-GCM", iv: nonce }, secret, padded);
  const copy = base64(nonce) + base64(new Uint8Array(encrypted));
  return copy.length <= MAX_COPY_LENGTH ? copy : null;
}

/**
 * Return the entries of a copy; none if it was made for another visitor, or was changed.
 * @param {string} copy
 * @param {string} key
 * @returns {Promise<[name: string, text: string][]>}
 */
async function unsealed(copy, key) {
  const secret = await imported(key);
  if (!secret) return [];
  try {
    const bytes = Uint8Array.from(atob(copy), (character) => character.charCodeAt(0));
    const [nonce, encrypted] = [bytes.subarray(0, NONCE_BYTES), bytes.subarray(NONCE_BYTES)];
    const plain = await crypto.subtle.decrypt({ name: "AES-GCM", iv: nonce }, secret, encrypted);
    return JSON.parse(new TextDecoder().decode(plain));
  } catch {
    return [];
  }
}

/** @param {string} key @returns {Promise<CryptoKey | null>} null without a session, or without HTTPS */
async function imported(key) {
  if (!key || !globalThis.crypto?.subtle) return null;
  const bytes = Uint8Array.from(atob(key), (character) => character.charCodeAt(0));
  return crypto.subtle.importKey("raw", bytes, "AES-GCM", false, ["encrypt", "decrypt"]);
}

/** @param {Uint8Array} bytes the number of the nonce's is a multiple of 3, so what follows can be appended */
function base64(bytes) {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}
