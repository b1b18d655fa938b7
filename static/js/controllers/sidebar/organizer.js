/**
 * Several chats at once: select them with checkboxes, or drag them to a project or tag. Loaded on first use as
 * `organizer`. The server renders the bar of actions and the drop targets. All actions submit one form, whose fields are
 * the checkboxes in the list.
 */

import { idInPath } from "../../api/urls.js";
import { isComposing } from "../../browser/ime.js";
import { htmxDetail } from "../../htmx_requests.js";
import { plural } from "../../lib/i18n.js";
import { DropTargets } from "./drop_targets.js";

const FORM = "selection";

/**
 * Load the bar into the page.
 * @param {HTMLElement} aside
 * @param {import("../ui/status.js").Status} status
 * @returns {Promise<Organizer | null>}
 */
export async function organize(aside, status) {
  const place = document.getElementById("organizer");
  if (!place) return null;
  await new Promise((resolve) => {
    place.addEventListener("htmx:afterSettle", resolve, { once: true }); // htmx has wired it
    place.addEventListener("htmx:afterRequest", (event) => htmxDetail(event).successful || resolve(null), { once: true });
    place.dispatchEvent(new Event("asked"));
  });
  const form = document.getElementById(FORM);
  return form instanceof HTMLFormElement ? new Organizer(aside, form, status) : null;
}

export class Organizer {
  #aside;
  #form;
  #status;
  #button;
  #drops;
  #isOn = false;
  /** The chats that are selected, also when the list is loaded again. @type {Set<string>} */
  #chosen = new Set();
  /** The row where a range begins. */
  #anchor = "";
  /** The row whose checkbox had the focus before the list was loaded again. */
  #focused = "";

  /**
   * @param {HTMLElement} aside
   * @param {HTMLFormElement} form
   * @param {import("../ui/status.js").Status} status
   */
  constructor(aside, form, status) {
    this.#aside = aside;
    this.#form = form;
    this.#status = status;
    this.#button = /** @type {HTMLElement} */ (document.getElementById("select-chats"));
    this.#drops = new DropTargets((id) => this.#fields(this.#chosen.has(id) ? [...this.#chosen] : [id]), () => this.#show());
    form.querySelector("[data-part=done]")?.addEventListener("click", () => this.#end());
    aside.addEventListener("click", (event) => this.#clicked(event), { capture: true });
    aside.addEventListener("keydown", (event) => this.#pressed(event));
    document.body.addEventListener("htmx:beforeSwap", () => (this.#focused = this.#boxes.find((box) => box === document.activeElement)?.value ?? ""));
    document.body.addEventListener("htmx:afterSwap", () => this.#isOn && this.#listed());
    document.body.addEventListener("conversations", () => this.#isOn && this.#end());
  }

  /** Begin or end selecting. */
  toggle() {
    if (this.#isOn) this.#end();
    else this.#begin();
  }

  /** The user drags this row. @param {Element} row */
  drag(row) {
    this.#drops.show(idOf(row));
  }

  #begin() {
    this.#isOn = true;
    this.#show();
    this.#boxes[0]?.focus();
  }

  #end() {
    this.#isOn = false;
    this.#chosen.clear();
    this.#show();
    this.#button.focus();
  }

  /** Bring the rows and the bar up to date. */
  #show() {
    this.#aside.toggleAttribute("data-selecting", this.#isOn);
    this.#button.setAttribute("aria-pressed", String(this.#isOn));
    this.#form.hidden = !this.#isOn;
    for (const field of this.#form.querySelectorAll("[type=hidden][name=chat]")) field.remove();
    for (const row of this.#aside.querySelectorAll(".entry")) this.#showBox(row);
    const listed = new Set(this.#boxes.map(({ value }) => value));
    for (const id of this.#chosen) if (!listed.has(id)) this.#chosen.delete(id);
    const count = this.#chosen.size;
    const place = this.#form.querySelector("[data-part=count]");
    const words = plural(count, "{count} chat selected", "{count} chats selected");
    if (place) place.textContent = words;
    for (const button of this.#form.querySelectorAll("[data-needs-chats]")) {
      /** @type {HTMLButtonElement} */ (button).disabled = count === 0;
    }
    return words;
  }

  /** The list was loaded again. */
  #listed() {
    this.#show();
    if (document.activeElement === document.body) this.#boxes.find(({ value }) => value === this.#focused)?.focus();
  }

  /** @param {Element} row */
  #showBox(row) {
    const box = /** @type {HTMLInputElement | null} */ (row.querySelector(":scope > input"));
    if (!this.#isOn) {
      box?.remove();
      return;
    }
    const link = row.querySelector("a");
    if (!link) return;
    if (box) {
      box.checked = this.#chosen.has(box.value);
      return;
    }
    const made = document.createElement("input");
    made.type = "checkbox";
    made.name = "chat";
    made.value = idOf(row);
    made.setAttribute("form", FORM);
    made.setAttribute("aria-label", link.querySelector("bdi")?.textContent ?? "");
    made.checked = this.#chosen.has(made.value);
    row.prepend(made);
  }

  /** While selecting, a click on a row selects it; with Shift, all rows from the last one. @param {MouseEvent} event */
  #clicked(event) {
    const target = /** @type {Element} */ (event.target);
    const row = target.closest(".entry");
    if (!this.#isOn || !row || !target.closest("a, input") || event.ctrlKey || event.metaKey) return;
    const box = /** @type {HTMLInputElement} */ (row.querySelector(":scope > input"));
    if (target !== box) {
      event.preventDefault();
      event.stopPropagation();
    }
    const isChosen = target === box ? box.checked : !box.checked;
    for (const each of event.shiftKey ? this.#range(box) : [box]) this.#choose(each.value, isChosen);
    this.#anchor = box.value;
    this.#status.say(this.#show());
  }

  /** @param {string} id @param {boolean} isChosen */
  #choose(id, isChosen) {
    if (isChosen) this.#chosen.add(id);
    else this.#chosen.delete(id);
  }

  /** @param {HTMLInputElement} box */
  #range(box) {
    const boxes = this.#boxes;
    const [from, to] = [boxes.findIndex(({ value }) => value === this.#anchor), boxes.indexOf(box)];
    return from < 0 ? [box] : boxes.slice(Math.min(from, to), Math.max(from, to) + 1);
  }

  /** @param {KeyboardEvent} event */
  #pressed(event) {
    if (event.key !== "Escape" || !this.#isOn || event.defaultPrevented || isComposing(event)) return;
    event.preventDefault();
    event.stopPropagation();
    this.#end();
  }

  /** Name these chats in the form; the checkboxes name the selected ones themselves. @param {string[]} ids */
  #fields(ids) {
    if (ids.every((id) => this.#chosen.has(id))) return;
    for (const box of this.#boxes) box.checked = false;
    this.#form.append(...ids.map(hidden));
  }

  get #boxes() {
    return /** @type {HTMLInputElement[]} */ ([...this.#aside.querySelectorAll(".entry > input")]);
  }
}

/** @param {Element} row */
function idOf(row) {
  return idInPath(/** @type {HTMLAnchorElement} */ (row.querySelector("a")).pathname);
}

/** @param {string} id */
function hidden(id) {
  const field = document.createElement("input");
  field.type = "hidden";
  field.name = "chat";
  field.value = id;
  return field;
}
