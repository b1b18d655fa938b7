/** Whether somebody is typing into a field just now. */

const PAUSE_MS = 4000;

export class TypingSignal {
  #field;
  #typedAt = 0;
  #told = false;

  /** @param {HTMLTextAreaElement} field @param {() => void} began is called when they begin, also after a pause */
  constructor(field, began) {
    this.#field = field;
    field.addEventListener("input", () => {
      const wasTyping = this.#isTyping();
      this.#typedAt = Date.now();
      if (!wasTyping && this.#isTyping()) began();
    });
  }

  /** What to tell the server next: "1" while they type, "0" once after it, otherwise nothing. @returns {"1" | "0" | ""} */
  next() {
    const before = this.#told;
    this.#told = this.#isTyping();
    if (this.#told) return "1";
    return before ? "0" : "";
  }

  #isTyping() {
    return this.#field.value.trim() !== "" && Date.now() - this.#typedAt < PAUSE_MS;
  }
}
