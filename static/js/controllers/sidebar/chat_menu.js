/**
 * The menu of a chat. The header and all rows of the sidebar share one menu, which opens at the pressed button. The
 * script adds the rows' buttons, because they do nothing without JavaScript and there are many of them.
 */

import { idInPath } from "../../api/urls.js";
import { elementById } from "../../browser/dom.js";
import { htmxDetail } from "../../htmx_requests.js";

const ID = "chat-menu";
const PLACES = ["href", "formaction", "hx-target", "data-leaves"];

export class ChatMenu {
  #aside;
  #head;
  #menu;
  /** The chat that the menu's URLs name now: at first the open one, or a placeholder. */
  #id;
  /** @type {Element | null} the button that opened it */
  #button = null;

  /**
   * @param {HTMLElement} aside
   * @param {() => import("../chat/chat_head.js").ChatHead} head of the open chat
   * @param {{closed: () => void, chosen: () => void}} events
   */
  constructor(aside, head, { closed, chosen }) {
    this.#aside = aside;
    this.#head = head;
    this.#menu = elementById(ID, HTMLElement);
    this.#id = this.#menu.dataset.chat ?? "";
    document.addEventListener("click", ({ target }) => {
      const button = /** @type {Element} */ (target).closest(`[popovertarget="${ID}"]`);
      if (button) this.#for(button); // the browser then opens the menu
    });
    this.#menu.addEventListener("toggle", (event) => {
      const isOpen = /** @type {ToggleEvent} */ (event).newState === "open";
      this.#button?.setAttribute("aria-expanded", String(isOpen));
      if (!isOpen) closed();
    });
    this.#menu.addEventListener("click", (event) => this.#renameInHead(event), { capture: true });
    this.#menu.addEventListener("click", ({ target }) => {
      if (!(/** @type {Element} */ (target).closest("a, button"))) return;
      chosen();
      this.#menu.hidePopover();
    });
    document.body.addEventListener("htmx:configRequest", (event) => {
      const { elt } = htmxDetail(event);
      if (this.#menu.contains(elt)) htmxDetail(event).path = elt.getAttribute("href") ?? elt.getAttribute("formaction");
    });
    this.wireRows();
  }

  get isOpen() {
    return this.#menu.matches(":popover-open");
  }

  /** Add buttons to rows from the server. */
  wireRows() {
    for (const link of this.#aside.querySelectorAll(".entry > a:last-child")) {
      const button = document.createElement("button");
      const title = link.querySelector("bdi")?.textContent ?? "";
      button.type = "button";
      button.className = "icon-button";
      button.ariaLabel = this.#labelFor(title);
      button.ariaExpanded = "false";
      button.setAttribute("popovertarget", ID);
      link.after(button);
      const row = /** @type {HTMLElement} */ (link.parentElement);
      row.id = `entry-${idInPath(/** @type {HTMLAnchorElement} */ (link).pathname)}`;
    }
  }

  /** @param {Element} button */
  #for(button) {
    if (this.isOpen && button !== this.#button) this.#menu.hidePopover(); // or the browser would only close it
    this.#button?.setAttribute("aria-expanded", "false");
    this.#button = button;
    const row = /** @type {HTMLElement | null} */ (button.closest(".entry"));
    const id = row?.id.slice("entry-".length) ?? this.#head().id;
    const listed = row ?? document.getElementById(`entry-${id}`);
    for (const item of this.#menu.querySelectorAll("a, button")) {
      for (const place of PLACES) {
        const value = item.getAttribute(place);
        if (value !== null) item.setAttribute(place, value.replace(this.#id, id));
      }
      if (item.hasAttribute("data-leaves")) item.setAttribute("hx-target", listed ? `#entry-${id}` : "this");
    }
    this.#id = id;
    this.#menu.ariaLabel = this.#labelFor(row?.querySelector("bdi")?.textContent ?? this.#head().title);
    this.#menu.toggleAttribute("data-pinned", listed ? "pinned" in listed.dataset : this.#head().isPinned);
  }

  /** The open chat is renamed where its title stands. @param {Event} event */
  #renameInHead(event) {
    const isRename = /** @type {Element} */ (event.target).closest("[data-rename]");
    if (!isRename || this.#button?.closest(".entry")) return;
    event.preventDefault();
    event.stopPropagation();
    this.#menu.hidePopover();
    this.#head().edit();
  }

  /** @param {string} title */
  #labelFor(title) {
    return (this.#menu.dataset.label ?? "").replace("{title}", () => title);
  }
}
