/**
 * What can be done with a chat of the list. There is one menu, which opens at the button of a row, for its chat. The
 * server writes rows without their buttons: without scripts nobody could use them, and there are many.
 */

import { idInPath } from "../../api/urls.js";
import { elementById } from "../../browser/dom.js";
import { htmxDetail } from "../../htmx_requests.js";

/** Which chat the menu is for before it was opened. */
const ANY_CHAT = "00000000-0000-0000-0000-000000000000";
const ID = "chat-menu";
const PLACES = ["href", "formaction", "hx-get", "hx-post", "hx-target", "data-leaves"];

export class ChatMenu {
  #aside;
  #menu;
  #id = ANY_CHAT;
  /** @type {Element | null} the button that it opened at */
  #button = null;

  /** @param {HTMLElement} aside @param {() => void} closed */
  constructor(aside, closed) {
    this.#aside = aside;
    this.#menu = elementById(ID, HTMLElement);
    aside.addEventListener("click", ({ target }) => {
      const button = /** @type {Element} */ (target).closest(`[popovertarget="${ID}"]`);
      if (button) this.#for(button); // it is opened by the browser, after this
    });
    this.#menu.addEventListener("toggle", (event) => {
      const isOpen = /** @type {ToggleEvent} */ (event).newState === "open";
      this.#button?.setAttribute("aria-expanded", String(isOpen));
      if (!isOpen) closed();
    });
    document.body.addEventListener("htmx:configRequest", (event) => {
      const { elt } = htmxDetail(event);
      if (!this.#menu.contains(elt)) return; // htmx has read the address before it was known
      htmxDetail(event).path = elt.getAttribute("hx-get") ?? elt.getAttribute("hx-post");
    });
    this.wireRows();
  }

  get isOpen() {
    return this.#menu.matches(":popover-open");
  }

  /** Rows that came from the server get their buttons. */
  wireRows() {
    for (const link of this.#aside.querySelectorAll(".entry > .entry-title:last-child")) {
      const button = document.createElement("button");
      const title = link.querySelector("bdi")?.textContent ?? "";
      button.type = "button";
      button.className = "icon-button";
      button.setAttribute("aria-label", (this.#menu.dataset.label ?? "").replace("{title}", () => title));
      button.setAttribute("aria-expanded", "false");
      button.setAttribute("popovertarget", ID);
      link.after(button);
      const row = /** @type {HTMLElement} */ (link.parentElement);
      row.id = `entry-${idInPath(/** @type {HTMLAnchorElement} */ (link).pathname)}`;
    }
  }

  /** @param {Element} button */
  #for(button) {
    if (this.isOpen && button !== this.#button) this.#menu.hidePopover(); // else the browser would only close it
    this.#button?.setAttribute("aria-expanded", "false");
    this.#button = button;
    const row = /** @type {HTMLElement} */ (button.closest(".entry"));
    const id = row.id.slice("entry-".length);
    for (const item of this.#menu.querySelectorAll("a, button")) {
      for (const place of PLACES) {
        const value = item.getAttribute(place);
        if (value !== null) item.setAttribute(place, value.replace(this.#id, id));
      }
    }
    this.#id = id;
    this.#menu.setAttribute("aria-label", button.getAttribute("aria-label") ?? "");
    this.#menu.toggleAttribute("data-pinned", "pinned" in row.dataset);
  }
}
