import { cancellationUrl } from "../api/urls.js";

const ATTEMPTS = 3;

/** A request to cancel an answer. If the server has not sent the answer's ID yet, it waits for that. */
export class Cancellation {
  isRequested = false;
  #env;
  #onFailure;
  #generationId = "";

  /**
   * @param {import("../browser/browser_env.js").BrowserEnv} env
   * @param {() => void} onFailure
   */
  constructor(env, onFailure) {
    this.#env = env;
    this.#onFailure = onFailure;
  }

  request() {
    if (this.isRequested) return;
    this.isRequested = true;
    if (this.#generationId) this.#send();
  }

  /** @param {string} generationId */
  setGenerationId(generationId) {
    this.#generationId = generationId;
    if (this.isRequested && generationId) this.#send();
  }

  async #send() {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      if (attempt > 1) await this.#env.sleep(500 * attempt);
      if (await this.#attempt()) return;
    }
    this.isRequested = false;
    this.#onFailure();
  }

  /** An answer that has ended or is unknown needs no cancellation. */
  async #attempt() {
    const headers = { "X-CSRFToken": this.#env.csrfToken(), Accept: "application/json" };
    try {
      const url = cancellationUrl(this.#generationId);
      const response = await this.#env.fetch(url, { method: "POST", headers });
      return response.ok || response.status === 404;
    } catch {
      return false;
    }
  }
}
