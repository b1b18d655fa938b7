/** Load earlier exchanges as the reader scrolls towards them, or on request. */

const NEAR = "600px";

/** @typedef {{turns: import("../../api/conversations.js").StoredMessage[], hasEarlier: boolean}} Earlier */

export class EarlierTurns {
  #button;
  #chat;
  #store;
  #load;
  #isAsking = false;

  /**
   * @param {HTMLElement} button
   * @param {import("./chat_controller.js").ChatController} chat
   * @param {import("./server_store.js").ServerStore} store
   * @param {(questionId: number) => Promise<Earlier>} load loads the turns before a question
   * @param {AbortSignal} [signal] ends it
   */
  constructor(button, chat, store, load, signal) {
    this.#button = button;
    this.#chat = chat;
    this.#store = store;
    this.#load = load;
    button.addEventListener("click", () => this.#fetch());
    const near = new IntersectionObserver(([entry]) => entry?.isIntersecting && this.#fetch(), {
      rootMargin: `${NEAR} 0px`,
    });
    near.observe(button);
    signal?.addEventListener("abort", () => near.disconnect());
  }

  /** Show the button if there are earlier exchanges. */
  offer() {
    this.#button.hidden = !this.#store.conversation.hasEarlier;
  }

  async #fetch() {
    if (this.#isAsking || this.#button.hidden) return;
    this.#isAsking = true;
    this.#button.setAttribute("aria-busy", "true");
    await this.#prepend();
    this.#button.removeAttribute("aria-busy");
    this.#isAsking = false;
  }

  async #prepend() {
    const first = this.#firstId;
    try {
      const { turns, hasEarlier } = await this.#load(first);
      if (this.#firstId !== first) return; // the page shows another conversation by now
      const { conversation } = this.#store;
      conversation.prepend(turns, hasEarlier);
      this.#chat.jump.keepPlace(() => this.#chat.transcript.show(conversation.exchanges));
    } catch (error) {
      this.#chat.status.hintError(error);
    }
    this.offer();
  }

  get #firstId() {
    return this.#store.conversation.exchanges[0]?.questionId ?? 0;
  }
}
