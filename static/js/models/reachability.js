/**
 * Whether the site can be reached: the browser reports that it is offline, or a request failed. After a failure, the
 * site is polled until it answers.
 */

import { isGatewayError } from "../api/responses.js";
import { HEALTH_URL } from "../api/urls.js";
import { Backoff } from "../lib/backoff.js";

/** @typedef {"online" | "offline" | "unreachable"} State */

export class Reachability {
  /** @type {State} */
  state = "online";
  #env;
  #onChange;
  #isAsking = false;

  /**
   * @param {Pick<import("../browser/browser_env.js").BrowserEnv, "fetch" | "sleep" | "random">} env
   * @param {(state: State) => void} onChange
   */
  constructor(env, onChange) {
    this.#env = env;
    this.#onChange = onChange;
  }

  /** Fetch, and note whether the site answers. @type {typeof fetch} */
  fetch = async (...request) => {
    try {
      const response = await this.#env.fetch(...request);
      if (isGatewayError(response)) this.requestFailed();
      else this.#set("online");
      return response;
    } catch (error) {
      if (/** @type {Error} */ (error).name !== "AbortError") this.requestFailed();
      throw error;
    }
  };

  /** Record what the browser reports. @param {boolean} isOnline */
  setOnline(isOnline) {
    if (isOnline) this.#set("online");
    else this.#set("offline");
  }

  /** Record that a request failed. */
  requestFailed() {
    if (this.state === "online") this.#set("unreachable");
    if (!this.#isAsking) this.#askUntilItAnswers();
  }

  async #askUntilItAnswers() {
    this.#isAsking = true;
    const backoff = new Backoff({ longestMs: 30_000, patienceMs: Infinity, random: this.#env.random });
    while (this.state !== "online") {
      await this.#env.sleep(backoff.next() ?? 0);
      if (this.state === "unreachable" && (await this.#answers())) this.#set("online");
    }
    this.#isAsking = false;
  }

  async #answers() {
    const response = await this.#env.fetch(HEALTH_URL, { cache: "no-store" }).catch(() => null);
    return Boolean(response?.ok);
  }

  /** @param {State} state */
  #set(state) {
    if (state === this.state) return;
    this.state = state;
    this.#onChange(state);
  }
}
