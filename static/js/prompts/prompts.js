/**
 * A list of prompts above the composer while a message starts with "/". Text that matches no prompt is an ordinary
 * message.
 */

import { loadPrompts } from "../api/prompts.js";
import { CompletionList } from "../browser/completion_list.js";
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

  /**
   * @param {HTMLFormElement} form
   * @param {HTMLTextAreaElement} area
   * @param {Tools} tools
   */
  constructor(form, area, tools) {
    this.#area = area;
    this.#tools = tools;
    this.#list = new CompletionList(area, { id: "prompts", className: "prompts", label: t("Prompts") }, (place) => this.#choose(place));
    form.append(this.#list.element);
    area.addEventListener("input", () => this.update());
    area.addEventListener("blur", () => this.#list.close());
    area.addEventListener("focus", () => this.update());
    form.addEventListener("keydown", (event) => this.#pressed(event), true);
    form.addEventListener("submit", () => this.#sent(), true);
  }

  async update() {
    const query = promptQuery(this.#area.value);
    if (!this.#area.value.startsWith("/")) this.#forget();
    if (query === null || this.#isClosed) this.#list.close();
    else if (this.#prompts) this.#show(query);
    else await this.#ask();
  }

  async #ask() {
    if (this.#isAsking) return;
    this.#isAsking = true;
    const prompts = await loadPrompts(this.#tools.env, this.#tools.status);
    this.#isAsking = false;
    this.#prompts = prompts ?? [];
    if (document.activeElement === this.#area) this.update();
  }

  /** @param {string} query */
  #show(query) {
    const before = this.#shown[this.#list.active]?.id;
    this.#shown = matchingPrompts(this.#prompts ?? [], query);
    if (!this.#shown.length) {
      this.#list.close();
      return;
    }
    const same = this.#shown.findIndex(({ id }) => id === before);
    const isNews = this.#list.show(this.#shown.map(option), query.trim() ? Math.max(same, 0) : same);
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
    this.#list.close();
  }

  /** Handle a key before the composer does. @param {KeyboardEvent} event */
  #pressed(event) {
    if (event.target !== this.#area || isComposing(event)) return;
    if (this.#list.press(event)) this.#isClosed ||= event.key === "Escape";
    else if (event.key === "Enter") this.#sent();
  }

  /** @param {number} place */
  #choose(place) {
    this.#isClosed = true;
    this.#list.close();
    insertPrompt(this.#area, this.#shown[place], this.#tools, true);
  }
}

/** @param {Prompt} prompt */
function option({ id, name, preview }) {
  const element = document.createElement("div");
  element.id = `prompt-${id}`;
  const words = [name, preview].map((text) => {
    const line = document.createElement("bdi");
    line.className = "truncate";
    line.textContent = text;
    return line;
  });
  element.append(...words);
  return element;
}
