/**
 * The header of the open chat: its title, which is edited in place, its project and persona, and its buttons. A chat
 * gets a title with its first answer: the sidebar's list says which.
 */

import { renameConversation } from "../../api/conversations.js";
import { sharingUrl } from "../../api/urls.js";
import { isComposing } from "../../browser/ime.js";
import { t } from "../../lib/i18n.js";
import { partsIn } from "../ui/template_parts.js";

export class ChatHead {
  #head;
  #parts;
  #page;
  #env;
  #status;
  /** Controls that need a stored chat. @type {HTMLElement[]} */
  #controls;

  /**
   * @param {HTMLElement} head
   * @param {HTMLElement} page
   * @param {import("../../browser/browser_env.js").BrowserEnv} env
   * @param {import("../ui/status.js").Status} status
   */
  constructor(head, page, env, status) {
    this.#head = head;
    this.#page = page;
    this.#env = env;
    this.#status = status;
    this.#parts = partsIn(head);
    this.#controls = ["share", "chat-options"].flatMap((id) => document.getElementById(id) ?? []);
    const { rename, field } = this.#parts;
    rename?.addEventListener("click", () => this.edit());
    field?.addEventListener("keydown", (event) => this.#pressed(event));
    field?.addEventListener("blur", () => this.#save());
    if (rename) this.#label(this.title);
  }

  /** The open chat; "" if it is not stored. */
  get id() {
    return this.#head.dataset.chat ?? "";
  }

  get title() {
    return this.#parts.name?.textContent ?? "";
  }

  /** Whether it was pinned when the page was loaded; the sidebar knows it of the chats it lists. */
  get isPinned() {
    return "pinned" in this.#head.dataset;
  }

  /** The server has stored the chat. @param {string} id */
  opened(id) {
    this.#head.dataset.chat = id;
    for (const control of this.#controls) {
      control.hidden = false;
      if (control instanceof HTMLAnchorElement) control.href = sharingUrl(id);
    }
  }

  /** @param {string} title */
  showTitle(title) {
    const { name, title: place } = this.#parts;
    if (!name || this.#isEditing) return;
    if (name.textContent !== title) name.textContent = title;
    place.hidden = false;
    this.#label(title);
    const heading = this.#page.querySelector("h1");
    if (heading) heading.textContent = title;
    document.title = `${title} – ${this.#page.dataset.site}`;
  }

  /** Edit the title; the old one is selected. */
  edit() {
    const { field, title } = this.#parts;
    const input = /** @type {HTMLInputElement} */ (field);
    input.value = this.title;
    title.hidden = true;
    input.hidden = false;
    input.select();
  }

  get #isEditing() {
    return this.#parts.field?.hidden === false;
  }

  /** @param {KeyboardEvent} event */
  #pressed(event) {
    if (isComposing(event) || (event.key !== "Enter" && event.key !== "Escape")) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === "Enter") this.#save();
    else this.#close();
    this.#parts.rename.focus();
  }

  async #save() {
    if (!this.#isEditing) return;
    const { value } = /** @type {HTMLInputElement} */ (this.#parts.field);
    const before = this.title;
    const title = value.trim().replace(/\s+/g, " ");
    this.#close();
    if (!title || title === before) return;
    this.showTitle(title);
    if (await renameConversation(this.#env, this.id, title)) return;
    this.showTitle(before);
    this.#status.hint(t("Couldn't save this. Check your connection, then try again."));
  }

  #close() {
    this.#parts.field.hidden = true;
    this.#parts.title.hidden = false;
  }

  /** @param {string} title */
  #label(title) {
    const { rename } = this.#parts;
    rename.ariaLabel = (rename.dataset.label ?? "").replace("{title}", () => title);
  }
}
