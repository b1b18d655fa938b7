/**
 * Complete names of staff after "@" in a note. The focus stays in the field, which is marked up as one with
 * autocompletion.
 */

import { isComposing } from "../../browser/ime.js";
import { plural, t } from "../../lib/i18n.js";
import { matchingNames, mentionAt } from "../../lib/mentions.js";

/** @typedef {{ hint: (words: string) => void }} Status */

/**
 * @param {HTMLTextAreaElement} field
 * @param {string[]} names
 * @param {Status} status
 */
export function completeMentions(field, names, status) {
  new MentionCompletion(field, names, status);
}

/** Each field of a page has its own list, and IDs are unique. */
let lists = 0;

class MentionCompletion {
  #field;
  #names;
  #status;
  #list = listbox();
  /** @type {string[]} */
  #shown = [];
  #active = 0;

  /**
   * @param {HTMLTextAreaElement} field
   * @param {string[]} names
   * @param {Status} status
   */
  constructor(field, names, status) {
    this.#field = field;
    this.#names = names;
    this.#status = status;
    field.parentElement?.append(this.#list);
    field.addEventListener("input", () => this.#update());
    field.addEventListener("blur", () => this.#close());
    field.addEventListener("keydown", (event) => this.#pressed(event));
    this.#list.addEventListener("pointerdown", (event) => event.preventDefault()); // keeps the focus in the field
    this.#list.addEventListener("click", ({ target }) => {
      const option = /** @type {Element} */ (target).closest("[role=option]");
      if (!option) return;
      this.#activate(Array.from(this.#list.children).indexOf(option));
      this.#choose();
    });
  }

  #update() {
    const mention = mentionAt(this.#field.value, this.#field.selectionStart);
    this.#shown = mention ? matchingNames(this.#names, mention.query) : [];
    if (!this.#shown.length) {
      this.#close();
      return;
    }
    this.#list.replaceChildren(...this.#shown.map((name, place) => option(name, `${this.#list.id}-${place}`)));
    if (this.#list.hidden) {
      this.#status.hint(plural(this.#shown.length, "{count} name. Use the arrow keys to choose.", "{count} names. Use the arrow keys to choose."));
    }
    this.#list.hidden = false;
    this.#field.setAttribute("aria-autocomplete", "list");
    this.#field.setAttribute("aria-controls", this.#list.id);
    this.#activate(0);
  }

  #close() {
    this.#list.hidden = true;
    for (const name of ["aria-autocomplete", "aria-controls", "aria-activedescendant"]) this.#field.removeAttribute(name);
  }

  /** @param {KeyboardEvent} event */
  #pressed(event) {
    if (this.#list.hidden || isComposing(event) || event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const { length } = this.#shown;
    if (step) this.#activate((this.#active + step + length) % length);
    else if (event.key === "Escape") this.#close();
    else if (event.key === "Enter" || event.key === "Tab") this.#choose();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {number} place */
  #activate(place) {
    this.#active = place;
    Array.from(this.#list.children, (element, at) => {
      element.setAttribute("aria-selected", String(at === place));
      if (at === place) element.scrollIntoView({ block: "nearest" });
    });
    this.#field.setAttribute("aria-activedescendant", this.#list.children[place].id);
  }

  #choose() {
    const caret = this.#field.selectionStart;
    const mention = mentionAt(this.#field.value, caret);
    if (mention) this.#field.setRangeText(`${this.#shown[this.#active]} `, mention.start, caret, "end");
    this.#close();
  }
}

function listbox() {
  const list = document.createElement("div");
  list.id = `mentions${(lists += 1)}`;
  list.className = "mention-list";
  list.hidden = true;
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", t("Staff"));
  return list;
}

/** @param {string} name @param {string} id */
function option(name, id) {
  const element = document.createElement("div");
  element.id = id;
  element.setAttribute("role", "option");
  const words = document.createElement("bdi");
  words.textContent = name;
  element.append(words);
  return element;
}
