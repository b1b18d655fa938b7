/**
 * The list of conversations. The server writes it, htmx brings it; here is only what goes with it: which
 * one is open, where the focus goes, and that a list somebody is busy with is left alone.
 */

import { htmx } from "../htmx_on_demand.js";
import { detailOf } from "../htmx_requests.js";
import { onWake } from "../lib/wake.js";
import { NEW_CHAT, pageOf } from "../stream/addresses.js";

const NEWS_MS = 5000; // how often one looks whether an answer elsewhere has ended

export class Sidebar {
  #aside;
  #page;
  #deletion;
  #seen = ""; // the list as it came last
  #next = NaN; // the place of the first older entry, where the focus goes once it is there
  #renamed = ""; // the conversation whose new name was given up

  /**
   * @param {HTMLElement} aside
   * @param {HTMLElement} page
   * @param {HTMLDialogElement} deletion the dialog that asks
   */
  constructor(aside, page, deletion) {
    this.#aside = aside;
    this.#page = page;
    this.#deletion = deletion;
    document.body.addEventListener("htmx:configRequest", (event) => this.#configure(event));
    document.body.addEventListener("htmx:beforeSwap", (event) => this.#swaps(event));
    document.body.addEventListener("htmx:afterSwap", () => this.#mark());
    document.body.addEventListener("htmx:afterSettle", (event) => this.#settled(event));
    document.body.addEventListener("htmx:afterRequest", (event) => this.#answered(event));
    aside.addEventListener("click", (event) => this.#clicked(event));
    aside.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && this.#rename) this.#cancel(event);
    });
    onWake(() => this.refresh());
    setInterval(() => {
      if (!document.hidden && this.#isAwaitingNews) this.refresh();
    }, NEWS_MS);
  }

  /** Asks for the list as it is now, unless somebody has something open in it. */
  async refresh() {
    await htmx();
    if (this.#rename || this.#aside.querySelector(".menu:popover-open")) return;
    this.#list?.dispatchEvent(new Event("refresh"));
  }

  /** As many as are shown by now come again. @param {Event} event */
  #configure(event) {
    const { elt, parameters } = detailOf(event);
    if (elt === this.#list) parameters.count = String(this.#links.length);
  }

  /** The same list again would only take the focus, or a click, away. @param {Event} event */
  #swaps(event) {
    const detail = detailOf(event);
    const { deletes } = detail.requestConfig.elt.dataset;
    if (deletes) this.#leave(deletes);
    if (detail.target.id === "older" && detail.target === document.activeElement) this.#next = this.#links.length;
    if (detail.target !== this.#list) return;
    if (this.#rename || detail.serverResponse === this.#seen) detail.shouldSwap = false;
    else this.#seen = detail.serverResponse;
  }

  /** @param {Event} event */
  #settled(event) {
    const { requestConfig, target } = detailOf(event);
    this.#links[this.#next]?.focus();
    this.#next = NaN;
    const isRenamed = requestConfig?.verb === "post" && requestConfig.elt.matches(".rename");
    const id = isRenamed ? requestConfig.path.split("/").at(-3) : this.#renamed;
    if (!isRenamed && target?.id !== "conversations") return; // another request ended in between
    const link = document.getElementById(`link-${id}`);
    if (!link) return;
    this.#renamed = "";
    link.focus();
  }

  /** Which conversation is open, after the address may have changed. */
  #mark() {
    for (const link of this.#links) {
      const isOpen = link.pathname === location.pathname;
      if (isOpen) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
      if (isOpen) document.title = `${link.querySelector("bdi")?.textContent} – ${this.#page.dataset.site}`;
    }
    for (const link of this.#aside.querySelectorAll(".sidebar-head a[aria-current]")) {
      if (/** @type {HTMLAnchorElement} */ (link).pathname !== location.pathname) link.removeAttribute("aria-current");
    }
  }

  /** The focus goes where it is nearest. @param {string} id of a conversation that is deleted */
  #leave(id) {
    const links = this.#links;
    const place = links.findIndex((link) => link.id === `link-${id}`);
    this.#deletion.close();
    (links[place + 1] ?? links[place - 1] ?? this.#aside.querySelector("a"))?.focus();
  }

  /** @param {Event} event */
  #answered(event) {
    const { xhr, requestConfig } = detailOf(event);
    const id = requestConfig?.elt.dataset.deletes;
    const isGone = xhr.status === 404 || (xhr.status === 200 && xhr.responseURL.endsWith(requestConfig.path));
    if (!id || !isGone) return;
    if (location.pathname === pageOf(id)) location.assign(NEW_CHAT);
    else this.refresh();
  }

  /** @param {MouseEvent} event */
  #clicked(event) {
    const target = /** @type {Element} */ (event.target);
    if (target.closest("[data-cancel]")) this.#cancel(event);
    const menu = /** @type {HTMLElement | null} */ (target.closest(".menu"));
    if (menu && target.closest("a")) menu.hidePopover();
  }

  /** The name stays as it is. @param {Event} event */
  #cancel(event) {
    event.preventDefault();
    event.stopPropagation();
    this.#renamed = this.#rename?.closest(".entry")?.id.slice("entry-".length) ?? "";
    this.#rename?.remove();
    this.#seen = "";
    this.refresh();
  }

  get #list() {
    return document.getElementById("conversations");
  }

  get #isAwaitingNews() {
    return this.#aside.querySelector(".title:not([aria-current]) > [data-running]") !== null;
  }

  get #rename() {
    return this.#aside.querySelector(".rename");
  }

  get #links() {
    return /** @type {HTMLAnchorElement[]} */ ([...this.#aside.querySelectorAll(".entry > .title")]);
  }
}
