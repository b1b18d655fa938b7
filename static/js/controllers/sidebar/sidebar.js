/**
 * The list of conversations. The server renders it and htmx loads it; this marks the open one, manages the focus, and
 * does not update the list while the user is renaming a chat or has its menu open.
 */

import { NEW_CHAT_URL, conversationUrl } from "../../api/urls.js";
import { isComposing } from "../../browser/ime.js";
import { onWake } from "../../browser/wake_events.js";
import { loadHtmx } from "../../htmx_on_demand.js";
import { htmxDetail } from "../../htmx_requests.js";
import { ChatMenu } from "./chat_menu.js";

const NEWS_MS = 5000; // how often to check whether an answer in another tab has ended
/** How long htmx takes to wire a new list. */
const SETTLED_MS = 50;

export class Sidebar {
  #aside;
  #head;
  #menu;
  #seen = ""; // the HTML of the list as last received
  #version = ""; // its ETag
  #isAsked = false; // a request is running
  #isMissed = false; // an update was skipped because the menu was open
  #isStale = false; // something has changed since the running request began
  #next = NaN; // the index of the first older entry, which gets the focus once it is loaded
  #wanted = ""; // the conversation whose link gets the focus once the list is loaded

  /**
   * @param {HTMLElement} aside
   * @param {() => import("../chat/chat_head.js").ChatHead} head shows the title of the open chat
   */
  constructor(aside, head) {
    this.#aside = aside;
    this.#head = head;
    this.#menu = new ChatMenu(aside, head, {
      closed: () => this.#isMissed && this.refresh(),
      chosen: () => (this.#isMissed = false), // if the chosen action changes the list, it reloads it
    });
    document.body.addEventListener("conversations", () => this.refresh()); // triggered by a response header
    document.body.addEventListener("htmx:configRequest", (event) => this.#configure(event));
    document.body.addEventListener("htmx:beforeSwap", (event) => this.#swaps(event));
    document.body.addEventListener("htmx:afterSwap", () => this.#mark());
    document.body.addEventListener("htmx:afterSettle", (event) => this.#settled(event));
    document.body.addEventListener("htmx:afterRequest", (event) => this.#answered(event));
    aside.addEventListener("click", (event) => this.#clicked(event));
    aside.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && this.#rename && !isComposing(event)) this.#cancel(event);
    });
    onWake(() => this.refresh());
    setInterval(() => {
      if (!document.hidden && this.#isAwaitingNews) this.refresh();
    }, NEWS_MS);
  }

  /** Reload the list, unless the user has something open in it. */
  async refresh() {
    await loadHtmx();
    this.#isMissed = this.#menu.isOpen;
    if (this.#rename || this.#isMissed) return;
    this.#isStale = this.#isAsked;
    if (!this.#isAsked) this.#list?.dispatchEvent(new Event("refresh"));
  }

  /** If something has changed since the request began, the list may be outdated, so reload it. */
  #arrived() {
    this.#isAsked = false;
    if (this.#isStale) this.refresh();
  }

  /** Request as many entries as are shown now. @param {Event} event */
  #configure(event) {
    const { elt, parameters, headers } = htmxDetail(event);
    if (elt !== this.#list) return;
    this.#isAsked = true;
    if (this.#seen && this.#version) headers["If-None-Match"] = this.#version;
    parameters.count = String(this.#links.length);
  }

  /** Do not swap in an unchanged list: that would lose the focus, or a click. @param {Event} event */
  #swaps(event) {
    const detail = htmxDetail(event);
    const { elt, path } = detail.requestConfig;
    if (elt.closest(".toast")) this.#wanted = path.split("/").at(-3); // the deletion was undone
    const { leaves } = elt.dataset;
    if (leaves && detail.shouldSwap) this.#leave(leaves);
    if (leaves) this.#seen = ""; // the previous list may be shown again
    if (detail.target.id === "older" && detail.target === document.activeElement) this.#next = this.#links.length;
    if (detail.target !== this.#list) return;
    const isSame = detail.xhr.status === 304 || detail.serverResponse === this.#seen;
    this.#isMissed = this.#menu.isOpen; // swapping would remove the menu's button
    if (isSame) this.#mark(); // a new chat may have got its URL since the list was received
    if (isSame) this.#focusWanted(); // the list may have been received before the response that wants the focus
    if (this.#rename || this.#isMissed || isSame) detail.shouldSwap = false;
    else {
      this.#wanted ||= entryIdOf(document.activeElement); // what has the focus is replaced
      [this.#seen, this.#version] = [detail.serverResponse, detail.xhr.getResponseHeader("ETag") ?? ""];
    }
  }

  /** @param {Event} event */
  #settled(event) {
    const { requestConfig, target } = htmxDetail(event);
    this.#links[this.#next]?.focus();
    this.#next = NaN;
    target?.querySelector?.(":scope > .entry-rename [name=title]")?.select();
    const isRenamed = requestConfig?.verb === "post" && requestConfig.elt.matches(".entry-rename");
    if (isRenamed) this.#wanted = requestConfig.path.split("/").at(-3);
    if (!isRenamed && target?.id !== "conversations") return; // another request has ended meanwhile
    const isFiltered = requestConfig?.elt.matches("#organizer-letter a"); // its dialog has closed the drawer
    if (isFiltered && document.getElementById("open-drawer")?.checkVisibility()) this.#aside.showPopover();
    this.#focusWanted();
  }

  #focusWanted() {
    const link = this.#links.find((each) => each.pathname === conversationUrl(this.#wanted));
    if (link || !this.#isStale) this.#wanted = ""; // a stale list does not have it yet
    link?.focus();
  }

  /** Mark the open conversation; the URL may have changed. */
  #mark() {
    this.#menu.wireRows();
    for (const link of this.#links) {
      const isOpen = markIfOpen(link);
      if (isOpen) this.#head().showTitle(link.querySelector("bdi")?.textContent ?? "");
      if (isOpen) document.getElementById("archived")?.remove();
    }
    for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (this.#aside.querySelectorAll(".sidebar-head a"))) markIfOpen(link);
  }

  /** The page shows a chat, or is about to: bring its row into view. */
  follow() {
    this.#mark();
    this.#links.find((link) => link.ariaCurrent)?.scrollIntoView({ block: "nearest" });
  }

  /** Move the focus to the nearest entry. @param {string} id of a conversation that leaves the list */
  #leave(id) {
    const links = this.#links;
    const place = links.findIndex((link) => link.pathname === conversationUrl(id));
    (links[place + 1] ?? links[place - 1] ?? this.#aside.querySelector("a"))?.focus();
  }

  /** @param {Event} event */
  #answered(event) {
    const { xhr, requestConfig } = htmxDetail(event);
    if (requestConfig?.elt.id === "conversations") setTimeout(() => this.#arrived(), SETTLED_MS);
    const id = requestConfig?.elt.dataset.leaves; // it was already deleted, perhaps in another tab
    if (!id || xhr.status !== 404) return;
    if (location.pathname === conversationUrl(id)) location.assign(NEW_CHAT_URL);
    else this.refresh();
  }

  /** @param {MouseEvent} event */
  #clicked(event) {
    if (/** @type {Element} */ (event.target).closest("[data-cancel]")) this.#cancel(event);
  }

  /** Cancel renaming. @param {Event} event */
  #cancel(event) {
    event.preventDefault();
    event.stopPropagation();
    this.#wanted = entryIdOf(this.#rename);
    this.#rename?.remove();
    this.#seen = "";
    this.refresh();
  }

  get #list() {
    return document.getElementById("conversations");
  }

  get #isAwaitingNews() {
    return this.#aside.querySelector(".entry > a:not([aria-current]) > [data-running]") !== null;
  }

  get #rename() {
    return this.#aside.querySelector(".entry-rename");
  }

  get #links() {
    return /** @type {HTMLAnchorElement[]} */ ([...this.#aside.querySelectorAll(".entry > a")]);
  }
}

/** Mark a link to the open page. @param {HTMLAnchorElement} link @returns {boolean} whether it is one */
function markIfOpen(link) {
  const isOpen = link.pathname === location.pathname;
  if (isOpen) link.ariaCurrent = "page";
  else link.removeAttribute("aria-current");
  return isOpen;
}

/** @param {Element | null | undefined} element @returns {string} the conversation that it belongs to */
function entryIdOf(element) {
  return element?.closest(".entry")?.id.slice("entry-".length) ?? "";
}
