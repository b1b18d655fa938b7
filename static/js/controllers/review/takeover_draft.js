/** Keep what a staff member types into a chat in this tab until it is sent, also after the takeover has ended. */

import { SafeStorage } from "../../browser/safe_storage.js";

export class TakeoverDraft {
  #storage = new SafeStorage("staff");
  #name;

  /**
   * @param {string} place the chat's address
   * @param {HTMLTextAreaElement} [field] the message box, if they have taken over the chat
   * @param {HTMLElement} [unsent] shows the draft otherwise
   */
  constructor(place, field, unsent) {
    this.#name = `draft:${place}`;
    const draft = this.#storage.read(this.#name);
    if (field) {
      if (draft && !field.value) field.value = draft;
      field.addEventListener("input", () => this.#storage.write(this.#name, field.value || null));
    } else if (draft && unsent) {
      const shown = /** @type {HTMLTextAreaElement} */ (unsent.querySelector("textarea"));
      if (!shown.value) shown.value = draft;
      unsent.hidden = false;
    }
  }

  sent() {
    this.#storage.write(this.#name, null);
  }
}
