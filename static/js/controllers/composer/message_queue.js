/** The message that is sent after the running answer: shown above the composer, to which it can be taken back. */

import { joinMessages, splitFiles } from "../../lib/text_files.js";
import { partsIn } from "../ui/template_parts.js";

export class MessageQueue {
  text = "";
  #element;
  #onChange;

  /**
   * @param {HTMLElement | null} element null if the page queues nothing
   * @param {{edit: (text: string) => void, changed: () => void}} handlers
   */
  constructor(element, { edit, changed }) {
    this.#element = element;
    this.#onChange = changed;
    if (element) partsIn(element).edit.addEventListener("click", () => edit(this.take()));
  }

  get isOffered() {
    return this.#element !== null;
  }

  /** @param {string} text is added to what waits already */
  add(text) {
    this.#set(joinMessages(this.text, text));
  }

  /** Return the message, which waits no longer. */
  take() {
    const { text } = this;
    if (text) this.#set("");
    return text;
  }

  /** @param {string} message */
  #set(message) {
    this.text = message;
    const element = /** @type {HTMLElement} */ (this.#element);
    element.hidden = !message;
    const { text, files } = splitFiles(message);
    partsIn(element).text.textContent = text.trim() || files.map(({ name }) => name).join(", ");
    this.#onChange();
  }
}
