/**
 * Store data in this tab, or on this device beyond the tab. No error is thrown: if storage is full, nothing is stored,
 * and if it is blocked or absent, the page's memory is used. All data belongs to one member, and is not shown to another
 * one who signs in in the same tab.
 */
export class SafeStorage {
  #prefix;
  /** @type {Storage | MemoryStorage | null} */
  #storage;

  /**
   * @param {string} owner
   * @param {() => Storage | MemoryStorage} open returns the storage; browsers may throw here
   */
  constructor(owner, open = () => sessionStorage) {
    this.#prefix = `runnel:${owner}:`;
    try {
      this.#storage = open() ?? new MemoryStorage();
      this.#removeWhere((key) => key.startsWith("runnel:") && !key.startsWith(this.#prefix));
    } catch {
      this.#storage = new MemoryStorage();
    }
  }

  /** @param {string} name */
  read(name) {
    try {
      return this.#storage?.getItem(this.#prefix + name) ?? null;
    } catch {
      return null;
    }
  }

  /**
   * @param {string} name
   * @param {string | null} text null removes the entry
   */
  write(name, text) {
    try {
      if (text === null) this.#storage?.removeItem(this.#prefix + name);
      else this.#storage?.setItem(this.#prefix + name, text);
    } catch {
      // Storage is full: keep the previous value.
    }
  }

  /** Remove all data. */
  clear() {
    this.#removeWhere((key) => key.startsWith(this.#prefix));
  }

  /** Remove all data, and store nothing from now on. */
  close() {
    this.clear();
    this.#storage = null;
  }

  /** @param {(key: string) => boolean} matches */
  #removeWhere(matches) {
    if (!this.#storage) return;
    const keys = Array.from({ length: this.#storage.length }, (_, i) => this.#storage?.key(i) ?? "");
    for (const key of keys.filter(matches)) this.#storage.removeItem(key);
  }
}

/** What `SafeStorage` uses of a `Storage`, for as long as the page is open. */
export class MemoryStorage {
  /** @type {Map<string, string>} */
  #entries = new Map();

  get length() {
    return this.#entries.size;
  }

  /** @param {number} index */
  key(index) {
    return [...this.#entries.keys()][index] ?? null;
  }

  /** @param {string} key */
  getItem(key) {
    return this.#entries.get(key) ?? null;
  }

  /** @param {string} key @param {string} text */
  setItem(key, text) {
    this.#entries.set(key, text);
  }

  /** @param {string} key */
  removeItem(key) {
    this.#entries.delete(key);
  }
}
