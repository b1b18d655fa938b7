/**
 * A list of prompts above the composer while a message starts with "/". The focus stays in the textarea, which is
 * marked up as one with autocompletion. Text that matches no prompt is an ordinary message.
 */

import { loadPrompts } from "../api/prompts.js";
import { isComposing } from "../browser/ime.js";
import { plural, t } from "../lib/i18n.js";
import { insertPrompt } from "./insertion.js";
import { matchingPrompts, promptQuery } from "./suggestions.js";

export { insertPrompt };

/** @typedef {import("./suggestions.js").Prompt} Prompt */
/** @typedef {import("./insertion.js").Tools} Tools */

/**
 * @param {HTMLFormElement} form
 * @param {HTMLTextAreaElement} area
 * @param {Tools} tools
 */
export function suggestPrompts(form, area, tools) {
  new PromptSuggestions(form, area, tools).update();
}

class PromptSuggestions {
  #area;
  #tools;
  #list;
  /** @type {Prompt[] | null} the prompts, from typing "/" until it is removed */
  #prompts = null;
  #isAsking = false;
  #isClosed = false; // closed with Escape; stays closed until the "/" is removed
  /** @type {Prompt[]} */
  #shown = [];
  #active = -1;

  /**
   * @param {HTMLFormElement} form
   * @param {HTMLTextAreaElement} area
   * @param {Tools} tools
   */
  constructor(form, area, tools) {
    this.#area = area;
    this.#tools = tools;
    this.#list = listbox();
    form.append(this.#list);
    area.addEventListener("input", () => this.update());
    area.addEventListener("blur", () => this.#close());
    area.addEventListener("focus", () => this.update());
    form.addEventListener("keydown", (event) => this.#pressed(event), true);
    form.addEventListener("submit", () => this.#sent(), true);
    this.#list.addEventListener("pointerdown", (event) => event.preventDefault()); // keeps the focus in the text
    this.#list.addEventListener("pointermove", ({ target }) => this.#point(target));
    this.#list.addEventListener("click", ({ target }) => {
      this.#point(target);
      if (this.#optionAt(target)) this.#choose();
    });
  }

  async update() {
    const query = promptQuery(this.#area.value);
    if (!this.#area.value.startsWith("/")) this.#forget();
    if (query === null || this.#isClosed) this.#close();
    else if (this.#prompts) this.#show(query);
    else await this.#ask();
  }

  async #ask() {
    if (this.#isAsking) return;
    this.#isAsking = true;
    const found = await loadPrompts(this.#tools.env, this.#tools.status);
    this.#isAsking = false;
    this.#prompts = found ?? [];
    if (document.activeElement === this.#area) this.update();
  }

  /** @param {string} query */
  #show(query) {
    const before = this.#shown[this.#active]?.id;
    this.#shown = matchingPrompts(this.#prompts ?? [], query);
    if (!this.#shown.length) {
      this.#close();
      return;
    }
    this.#list.replaceChildren(...this.#shown.map(option));
    const isNews = this.#list.hidden;
    this.#list.hidden = false;
    this.#area.setAttribute("aria-autocomplete", "list");
    this.#area.setAttribute("aria-controls", this.#list.id);
    const same = this.#shown.findIndex(({ id }) => id === before);
    this.#activate(query.trim() ? Math.max(same, 0) : same);
    const words = plural(this.#shown.length, "{count} prompt. Use the arrow keys to choose.", "{count} prompts. Use the arrow keys to choose.");
    if (isNews) this.#tools.status.say(words);
  }

  /** The message is sent, unless it is a "/" alone: composer.js. */
  #sent() {
    if (this.#area.value.trim() !== "/") this.#forget();
  }

  /** Reset, so that the next "/" opens the list again. */
  #forget() {
    this.#prompts = null;
    this.#isClosed = false;
    this.#close();
  }

  #close() {
    if (this.#list.hidden) return;
    this.#list.hidden = true;
    this.#shown = [];
    this.#active = -1;
    for (const name of ["aria-autocomplete", "aria-controls", "aria-activedescendant"]) this.#area.removeAttribute(name);
  }

  /** Handle a key before the composer does. @param {KeyboardEvent} event */
  #pressed(event) {
    if (event.target !== this.#area || isComposing(event)) return;
    const isPlain = !(event.shiftKey || event.ctrlKey || event.metaKey || event.altKey);
    const isOpen = isPlain && !this.#list.hidden;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (isOpen && step) this.#move(step);
    else if (isOpen && event.key === "Escape") {
      this.#isClosed = true;
      this.#close();
    } else if (isOpen && ["Enter", "Tab"].includes(event.key) && this.#active >= 0) this.#choose();
    else {
      if (event.key === "Enter") this.#sent();
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {number} step */
  #move(step) {
    const { length } = this.#shown;
    const from = this.#active < 0 && step < 0 ? 0 : this.#active;
    this.#activate((from + step + length) % length);
  }

  /** @param {number} place */
  #activate(place) {
    this.#active = place;
    Array.from(this.#list.children, (element, at) => {
      element.setAttribute("aria-selected", String(at === place));
      if (at === place) element.scrollIntoView({ block: "nearest" });
    });
    if (place < 0) this.#area.removeAttribute("aria-activedescendant");
    else this.#area.setAttribute("aria-activedescendant", this.#list.children[place].id);
  }

  /** @param {EventTarget | null} target */
  #point(target) {
    const element = this.#optionAt(target);
    if (element) this.#activate(Array.from(this.#list.children).indexOf(element));
  }

  /** @param {EventTarget | null} target */
  #optionAt(target) {
    return /** @type {Element} */ (target).closest("[role=option]");
  }

  #choose() {
    const prompt = this.#shown[this.#active];
    this.#isClosed = true;
    this.#close();
    insertPrompt(this.#area, prompt, this.#tools, true);
  }
}

function listbox() {
  const list = document.createElement("div");
  list.id = "prompts";
  list.className = "prompts";
  list.hidden = true;
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", t("Prompts"));
  return list;
}

/** @param {Prompt} prompt */
function option({ id, name, preview }) {
  const element = document.createElement("div");
  element.id = `prompt-${id}`;
  element.setAttribute("role", "option");
  const words = [name, preview].map((text) => {
    const line = document.createElement("bdi");
    line.className = "truncate";
    line.textContent = text;
    return line;
  });
  element.append(...words);
  return element;
}
