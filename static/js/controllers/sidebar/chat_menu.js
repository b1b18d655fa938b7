/**
 * The menu of a chat in the sidebar. All rows share one menu, which opens at the button of a row. The script adds these
 * buttons, because they do nothing without JavaScript and there are many of them.
 */

import { idInPath } from "../../api/urls.js";
import { elementById } from "../../browser/dom.js";
import { htmxDetail } from "../../htmx_requests.js";

/** The placeholder for a chat's id in the menu's URLs. */
const ANY_CHAT = "00000000-0000-0000-0000-000000000000";
const ID = "chat-menu";
const PLACES = ["href", "formaction", "hx-get", "hx-post", "hx-target", "data-leaves"];

export class ChatMenu {
  #aside;
  #menu;
  #id = ANY_CHAT;
  /** @type {Element | null} the button that opened it */
  #button = null;

  /** @param {HTMLElement} aside @param {() => void} closed */
  constructor(aside, closed) {
    this.#aside = aside;
    this.#menu = elementById(ID, HTMLElement);
    aside.addEventListener("click", ({ target }) => {
      const button = /** @type {Element} */ (target).closest(`[popovertarget="${ID}"]`);
      if (button) this.#for(button); // the browser then opens the menu
    });
    this.#menu.addEventListener("toggle", (event) => {
      const isOpen = /** @type {ToggleEvent} */ (event).newState === "open";
      this.#button?.setAttribute("aria-expanded", String(isOpen));
      if (!isOpen) closed();
    });
    document.body.addEventListener("htmx:configRequest", (event) => {
      const { elt } = htmxDetail(event);
      if (!this.#menu.contains(elt)) return; // htmx has read the URL with the placeholder
      htmxDetail(event).path = elt.getAttribute("hx-get") ?? elt.getAttribute("hx-post");
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
    if (this.isOpen && button !== this.#button) this.#menu.hidePopover(); // or the browser would only close it
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
