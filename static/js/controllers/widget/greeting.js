/**
 * The message beside the button that the visitor has opened the chat with: it stands in an empty chat in place of the
 * welcome. It is no message of the conversation, but goes with the visitor's questions as context.
 */
export class Greeting {
  #welcome;
  #usual;
  /** @type {Record<string, string>} */
  #texts;
  /** "" if the visitor came without one */
  text = "";

  /**
   * @param {HTMLElement} welcome
   * @param {Element | null} texts JSON with the site's messages by id: the website says only which one it was
   */
  constructor(welcome, texts) {
    this.#welcome = welcome;
    this.#usual = welcome.textContent;
    this.#texts = JSON.parse(texts?.textContent || "{}");
  }

  /** @param {string} id */
  has(id) {
    return Object.hasOwn(this.#texts, id);
  }

  /** @param {string} [id] without one, the usual welcome is back */
  show(id = "") {
    this.text = this.#texts[id] ?? "";
    this.#welcome.textContent = this.text || this.#usual;
  }
}
