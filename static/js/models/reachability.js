/**
 * Whether the site can be reached, as far as the page knows: the browser says that it is offline, or a
 * request has failed. After a failure the site is asked now and then until it answers.
 */

import { Backoff } from "../lib/retry.js";
import { HEALTH } from "../stream/addresses.js";
import { isGatewayTrouble } from "../stream/responses.js";

/** @typedef {"online" | "offline" | "unreachable"} State */

export class Reachability {
  /** @type {State} */
  state = "online";
  #world;
  #onChange;
  #isAsking = false;

  /**
   * @param {Pick<import("../stream/connection.js").World, "fetch" | "sleep" | "random">} world
   * @param {(state: State) => void} onChange
   */
  constructor(world, onChange) {
    this.#world = world;
    this.#onChange = onChange;
  }

  /** The world's, watched. @type {typeof fetch} */
  fetch = async (...request) => {
    try {
      const response = await this.#world.fetch(...request);
      if (isGatewayTrouble(response)) this.failed();
      else this.#set("online");
      return response;
    } catch (error) {
      if (/** @type {Error} */ (error).name !== "AbortError") this.failed();
      throw error;
    }
  };

  /** The browser says so. @param {boolean} isOnline */
  told(isOnline) {
    if (isOnline) this.#set("online");
    else this.#set("offline");
  }

  /** Something was asked of the site in vain. */
  failed() {
    if (this.state === "online") this.#set("unreachable");
    if (!this.#isAsking) this.#askUntilItAnswers();
  }

  async #askUntilItAnswers() {
    this.#isAsking = true;
    const backoff = new Backoff({ longestMs: 30_000, patienceMs: Infinity, random: this.#world.random });
    while (this.state !== "online") {
      await this.#world.sleep(backoff.next() ?? 0);
      if (this.state === "unreachable" && (await this.#answers())) this.#set("online");
    }
    this.#isAsking = false;
  }

  async #answers() {
    const response = await this.#world.fetch(HEALTH, { cache: "no-store" }).catch(() => null);
    return Boolean(response?.ok);
  }

  /** @param {State} state */
  #set(state) {
    if (state === this.state) return;
    this.state = state;
    this.#onChange(state);
  }
}
