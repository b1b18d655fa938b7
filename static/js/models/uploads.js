/** Send files, two at a time, until each is added or refused. Refusals that pass are waited for. */

import { Backoff } from "../lib/backoff.js";

const AT_ONCE = 2;
const PATIENCE_MS = 300_000;
/** The others would be refused, too. */
const FOR_ALL = new Set([401, 403, 404]);
const PASSING = new Set([429, 502, 503, 504]);

/**
 * @typedef {import("../browser/dropped_files.js").FileWithPath} FileWithPath
 * @typedef {{name: string, reason: string, again: FileWithPath | null}} Refusal `again` if it may succeed later
 * @typedef {(each: FileWithPath, signal: AbortSignal) => ReturnType<typeof import("../api/collections.js").addDocument>} Send
 */

export class Uploads {
  /** @type {Refusal[]} */
  refused = [];
  total = 0;
  done = 0;
  added = 0;
  #env;
  #send;
  #changed;
  /** @type {FileWithPath[]} */
  #waiting = [];
  #running = 0;
  #stop = new AbortController();

  /**
   * @param {Pick<import("../browser/browser_env.js").BrowserEnv, "sleep" | "random">} env
   * @param {Send} send
   * @param {() => void} changed
   */
  constructor(env, send, changed) {
    this.#env = env;
    this.#send = send;
    this.#changed = changed;
  }

  get isRunning() {
    return this.#running > 0;
  }

  /** @param {FileWithPath[]} files */
  add(files) {
    if (!this.isRunning) this.#begin();
    this.#waiting.push(...files);
    this.total += files.length;
    while (this.#running < AT_ONCE && this.#waiting.length) {
      this.#running++;
      this.#work();
    }
    this.#changed();
  }

  /** Send again what may succeed now. */
  retry() {
    const again = this.refused.flatMap((each) => each.again ?? []);
    this.refused = this.refused.filter((each) => !each.again);
    this.add(again);
  }

  /** Send no more files. */
  stop() {
    this.#waiting = [];
    this.#stop.abort();
  }

  #begin() {
    this.total = this.done = this.added = 0;
    this.#stop = new AbortController();
  }

  async #work() {
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) {
      await this.#sendOne(next);
      this.#changed();
    }
    this.#running--;
    this.#changed();
  }

  /** @param {FileWithPath} each */
  async #sendOne(each) {
    const { signal } = this.#stop;
    const backoff = new Backoff({ patienceMs: PATIENCE_MS, random: this.#env.random });
    for (;;) {
      const result = await this.#send(each, signal);
      if (signal.aborted) return;
      if ("added" in result) {
        this.added += result.added.added.length;
        this.refused.push(...result.added.refused.map((one) => ({ ...one, again: null })));
        this.done++;
        return;
      }
      const wait = PASSING.has(result.error.status) ? backoff.next() : null;
      if (wait === null) {
        this.#refuse(each, result.error);
        return;
      }
      await this.#env.sleep(Math.max(wait, result.waitMs));
    }
  }

  /** @param {FileWithPath} each @param {import("../api/errors.js").ApiError} error */
  #refuse(each, error) {
    const all = FOR_ALL.has(error.status) ? [each, ...this.#waiting.splice(0)] : [each];
    const mayRepeat = error.retryable || error.status === 401;
    for (const one of all) this.refused.push({ name: one.path, reason: error.message, again: mayRepeat ? one : null });
    this.done += all.length;
  }
}
