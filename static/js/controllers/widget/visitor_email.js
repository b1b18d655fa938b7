/** Ask a visitor who waits for a person where to mail the answer, and mail the chat to a visitor who wants it. */

import { t } from "../../lib/i18n.js";

/**
 * The form above the message box; the address can be changed and removed.
 */
export class VisitorEmail {
  #form;
  #input;
  #status;
  #visit;
  #chat;
  #stored = "";

  /**
   * @param {HTMLFormElement} form
   * @param {import("../../api/widget_session.js").WidgetSession} visit
   * @param {import("../chat/chat_controller.js").ChatController} chat
   */
  constructor(form, visit, chat) {
    this.#form = form;
    this.#visit = visit;
    this.#chat = chat;
    this.#input = /** @type {HTMLInputElement} */ (form.elements.namedItem("email"));
    this.#status = /** @type {HTMLElement} */ (form.querySelector("[role=status]"));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#store(this.#input.value.trim());
    });
    form.querySelector("[data-remove]")?.addEventListener("click", () => this.#store(""));
  }

  /** @param {import("../../api/widget_session.js").PersonStatus} found */
  show({ requested, person, email }) {
    this.#form.hidden = !requested || person;
    if (email !== this.#stored) this.#showStored(email);
  }

  /** @param {string} address */
  async #store(address) {
    if (address === this.#stored) return;
    try {
      await this.#visit.leaveEmail(this.#chat.id, address);
      this.#showStored(address);
    } catch (error) {
      this.#status.textContent = /** @type {Error} */ (error).message;
    }
  }

  /** @param {string} address */
  #showStored(address) {
    this.#stored = address;
    this.#input.value = address;
    this.#form.toggleAttribute("data-stored", address !== "");
    this.#status.textContent = address ? t("We'll email you the reply if you're away.") : "";
  }
}

/** Offer the address that the visitor has entered before the first message. @param {string} address */
export function offerAddress(address) {
  for (const id of ["visitor-address", "transcript-address"]) {
    const input = document.getElementById(id);
    if (input instanceof HTMLInputElement) input.value ||= address;
  }
}

/**
 * Wire the dialog that mails the chat.
 * @param {HTMLElement} opener
 * @param {HTMLDialogElement} dialog
 * @param {import("../../api/widget_session.js").WidgetSession} visit
 * @param {import("../chat/chat_controller.js").ChatController} chat
 */
export function wireTranscript(opener, dialog, visit, chat) {
  const form = /** @type {HTMLFormElement} */ (dialog.querySelector("form"));
  const input = /** @type {HTMLInputElement} */ (form.elements.namedItem("email"));
  const problem = /** @type {HTMLElement} */ (form.querySelector("[role=alert]"));
  let isSending = false;
  opener.addEventListener("click", () => {
    say("");
    dialog.showModal();
  });
  form.querySelector("[data-cancel]")?.addEventListener("click", () => dialog.close());
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (isSending) return;
    isSending = true;
    try {
      await visit.mailTranscript(chat.id, input.value.trim());
      dialog.close();
      chat.status.hint(t("The chat has been sent to {address}.", { address: input.value.trim() }));
    } catch (error) {
      say(/** @type {Error} */ (error).message);
    } finally {
      isSending = false;
    }
  });
  const offer = () => (opener.hidden = !chat.id);
  chat.subscribe({ accepted: offer, replaced: offer });
  offer();

  /** @param {string} words */
  function say(words) {
    problem.textContent = words;
    problem.hidden = !words;
  }
}
