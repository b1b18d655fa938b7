/**
 * Lists of options for a field, which keeps the focus and refers to the active option (ARIA Authoring Practices).
 */

import { isComposing } from "./ime.js";

/**
 * @param {HTMLElement} field
 * @param {HTMLElement} list
 * @param {Element | null | undefined} active
 */
export function setActiveOption(field, list, active) {
  for (const option of list.querySelectorAll("[role=option]")) option.setAttribute("aria-selected", String(option === active));
  active?.scrollIntoView({ block: "nearest" });
  if (active) field.setAttribute("aria-activedescendant", active.id);
  else field.removeAttribute("aria-activedescendant");
}

/** @param {EventTarget | null} target @returns {Element | null} */
export function optionAt(target) {
  return /** @type {Element} */ (target).closest("[role=option]");
}

/** Completions of a text while it is written. */
export class CompletionList {
  #field;
  #choose;
  #active = -1;

  /**
   * @param {HTMLTextAreaElement} field
   * @param {{ id: string, className: string, label: string }} listbox
   * @param {(place: number) => void} choose
   */
  constructor(field, { id, className, label }, choose) {
    this.#field = field;
    this.#choose = choose;
    this.element = document.createElement("div");
    Object.assign(this.element, { id, className, hidden: true });
    this.element.setAttribute("role", "listbox");
    this.element.setAttribute("aria-label", label);
    this.element.addEventListener("pointerdown", (event) => event.preventDefault()); // keeps the focus in the text
    this.element.addEventListener("pointermove", ({ target }) => this.#point(target));
    this.element.addEventListener("click", ({ target }) => {
      this.#point(target);
      if (optionAt(target)) choose(this.#active);
    });
  }

  /** The place of the active option; -1 if there is none. */
  get active() {
    return this.#active;
  }

  /**
   * @param {HTMLElement[]} options with the text of each
   * @param {number} active
   * @returns {boolean} whether the list was closed before
   */
  show(options, active) {
    for (const option of options) option.setAttribute("role", "option");
    const wasClosed = Boolean(this.element.hidden);
    this.element.replaceChildren(...options);
    this.element.hidden = false;
    this.#field.setAttribute("aria-autocomplete", "list");
    this.#field.setAttribute("aria-controls", this.element.id);
    this.#activate(active);
    return wasClosed;
  }

  close() {
    if (this.element.hidden) return;
    this.element.hidden = true;
    this.#active = -1;
    for (const name of ["aria-autocomplete", "aria-controls", "aria-activedescendant"]) this.#field.removeAttribute(name);
  }

  /**
   * Move in the list, choose or close it, if it is open.
   * @param {KeyboardEvent} event
   * @returns {boolean} whether the key was one of these
   */
  press(event) {
    if (this.element.hidden || isComposing(event) || event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return false;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) this.#move(step);
    else if (event.key === "Escape") this.close();
    else if (["Enter", "Tab"].includes(event.key) && this.#active >= 0) this.#choose(this.#active);
    else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  }

  /** @param {number} step */
  #move(step) {
    const { length } = this.element.children;
    const from = this.#active < 0 && step < 0 ? 0 : this.#active;
    this.#activate((from + step + length) % length);
  }

  /** @param {EventTarget | null} target */
  #point(target) {
    const option = optionAt(target);
    if (option) this.#activate(Array.from(this.element.children).indexOf(option));
  }

  /** @param {number} place */
  #activate(place) {
    this.#active = place;
    setActiveOption(this.#field, this.element, this.element.children[place]);
  }
}
