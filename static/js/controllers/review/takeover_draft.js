/** Keep what a staff member types into a chat in this tab until it is sent, also while another person answers. */

import { SafeStorage } from "../../browser/safe_storage.js";

export class TakeoverDraft {
  #storage = new SafeStorage("staff");
  #name;
  #field;
  #unsent;

  /**
   * @param {string} place the chat's address
   * @param {HTMLTextAreaElement} field the message box
   * @param {HTMLElement} [unsent] shows the draft to those who can't send it now
   */
  constructor(place, field, unsent) {
    this.#name = `draft:${place}`;
    this.#field = field;
    this.#unsent = unsent;
    field.value ||= this.#storage.read(this.#name) ?? "";
    field.addEventListener("input", () => this.#storage.write(this.#name, field.value || null));
  }

  /** @param {boolean} canSend whether the staff member answers in the chat now */
  show(canSend) {
    const shown = this.#unsent?.querySelector("textarea");
    if (!this.#unsent || !shown) return;
    shown.value = this.#field.value;
    this.#unsent.hidden = canSend || !shown.value;
  }

  sent() {
    this.#storage.write(this.#name, null);
  }
}
