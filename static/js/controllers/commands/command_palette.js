/**
 * The command palette, loaded on demand. Find chats and commands by a few letters, as a combobox with a listbox (ARIA Authoring Practices). The focus stays in
 * the field, which refers to the active option.
 */

import { ApiError } from "../../api/errors.js";
import { loadPrompts } from "../../api/prompts.js";
import { searchChats } from "../../api/search.js";
import { optionAt, setActiveOption } from "../../browser/completion_list.js";
import { isComposing } from "../../browser/ime.js";
import { plural, t } from "../../lib/i18n.js";
import { matchesWords } from "../../lib/text_match.js";
import { allCommands } from "./palette_commands.js";
import { choiceOfAll, choiceOfChat, choiceOfCommand, choiceOfHit, choiceOfPrompt, groupOf } from "./palette_choices.js";

export { toggleShortcuts } from "./shortcut_dialog.js";

const SETTLE_MS = 150;
const NEWEST = 6; // chats offered before the user types
const FIRST_PROMPTS = 3; // likewise
const MOST_PROMPTS = 8;

/** @typedef {import("./palette_choices.js").Choice} Choice */
/** @typedef {(prompt: import("../../prompts/suggestions.js").Prompt) => void} UsePrompt */

export class CommandPalette {
  #dialog;
  #field;
  #list;
  #status;
  #again;
  #env;
  #parts;
  #usePrompt;
  /** @type {import("../../prompts/suggestions.js").Prompt[]} */
  #prompts = [];
  /** @type {import("../../api/search.js").FoundChat[]} */
  #chats = [];
  /** @type {import("../../api/search.js").FoundMessage[]} */
  #hits = [];
  #found = ""; // the query that the results are for
  #problem = "";
  /** @type {Choice[]} */
  #choices = [];
  #active = "";
  #isSettled = false; // the active choice stays while results arrive: Enter must not choose what just came
  #abort = new AbortController();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /**
   * @param {HTMLDialogElement} dialog
   * @param {import("../../browser/browser_env.js").BrowserEnv} env
   * @param {() => import("./palette_commands.js").CommandParts} parts
   * @param {UsePrompt} usePrompt
   */
  constructor(dialog, env, parts, usePrompt) {
    this.#dialog = dialog;
    this.#field = /** @type {HTMLInputElement} */ (dialog.querySelector("input"));
    this.#list = /** @type {HTMLElement} */ (dialog.querySelector("[role=listbox]"));
    this.#status = /** @type {HTMLElement} */ (dialog.querySelector("[role=status]"));
    this.#again = /** @type {HTMLElement} */ (dialog.querySelector("[data-part=again]"));
    this.#env = env;
    this.#parts = parts;
    this.#usePrompt = usePrompt;
    this.#field.addEventListener("input", () => this.#written());
    this.#field.addEventListener("keydown", (event) => this.#pressed(event));
    this.#list.addEventListener("pointermove", ({ target }) => this.#point(target));
    this.#list.addEventListener("click", ({ target }) => {
      this.#point(target);
      if (optionAt(target)) this.#choose();
    });
    this.#again.addEventListener("click", () => {
      this.#field.focus();
      this.#search();
    });
    dialog.addEventListener("close", () => this.#abort.abort());
  }

  /**
   * The dialog has been opened; something may be written in it already.
   * @param {boolean} isEntered whether Enter was pressed already, too
   */
  opened(isEntered) {
    this.#isSettled = false;
    this.#chats = this.#hits = [];
    this.#status.textContent = t("Loading…");
    this.#show();
    if (isEntered) {
      this.#choose();
      if (!this.#dialog.open) return;
    }
    this.#search();
    this.#loadPrompts();
  }

  async #loadPrompts() {
    const canWrite = document.querySelector("#message:enabled")?.checkVisibility();
    this.#prompts = (canWrite && (await loadPrompts(this.#env))) || [];
    if (this.#prompts.length && this.#dialog.open) this.#show();
  }

  #written() {
    this.#isSettled = false;
    this.#show();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#search(), SETTLE_MS);
  }

  async #search() {
    this.#abort.abort();
    this.#abort = new AbortController();
    const { signal } = this.#abort;
    const query = this.#field.value;
    this.#again.hidden = true;
    this.#list.setAttribute("aria-busy", "true");
    try {
      const { chats, messages } = await searchChats(this.#env, query, signal);
      if (signal.aborted) return;
      this.#chats = chats;
      this.#hits = messages;
      this.#found = query;
      this.#problem = "";
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ApiError)) throw error;
      this.#chats = this.#hits = [];
      this.#problem = error.message;
      this.#again.hidden = false;
    }
    this.#list.removeAttribute("aria-busy");
    this.#show();
    this.#tell();
  }

  /** Show the choices that match the text, even while more are loading. */
  #show() {
    const query = this.#field.value.trim();
    const isFound = this.#found.trim() === query; // also by its tags
    const chats = this.#chats.filter(({ title }) => isFound || matchesWords(query, title)).map(choiceOfChat);
    const commands = allCommands(this.#parts())
      .filter(({ isOffered }) => isOffered?.() ?? true)
      .map(choiceOfCommand)
      .filter(({ name }) => matchesWords(query, name));
    const shown = query ? chats : chats.slice(0, NEWEST);
    const hits = query && isFound ? this.#hits.map(choiceOfHit) : [];
    if (hits.length) hits.push(choiceOfAll(query));
    const prompts = this.#prompts
      .filter(({ name }) => matchesWords(query, name))
      .slice(0, query ? MOST_PROMPTS : FIRST_PROMPTS)
      .map((prompt) => choiceOfPrompt(prompt, this.#usePrompt));
    // What matches by its name is there at once and comes first; the rest is added below it.
    const named = query ? [groupOf(t("Commands"), commands), groupOf(t("Chats"), shown)] : [groupOf(t("Chats"), shown), groupOf(t("Commands"), commands)];
    const groups = [...named, groupOf(t("Prompts"), prompts), groupOf(t("Messages"), hits)].filter((each) => each !== null);
    this.#choices = groups.flatMap(({ choices }) => choices);
    this.#list.replaceChildren(...groups.map(({ element }) => element));
    const same = this.#isSettled && this.#choices.find(({ id }) => id === this.#active);
    this.#activate(same || this.#choices[0]);
    this.#isSettled ||= query !== "" && this.#choices.length > 0;
    this.#field.setAttribute("aria-expanded", String(this.#choices.length > 0));
    const isOpening = !query && this.#list.ariaBusy === "true";
    if (!isOpening && this.#choices.length) this.#status.classList.add("visually-hidden");
  }

  /** Announce the number of choices to screen readers. */
  #tell() {
    const { length } = this.#choices;
    const words = length ? plural(length, "{count} result", "{count} results") : t("No results.");
    this.#status.textContent = this.#problem || words;
    this.#status.classList.toggle("visually-hidden", length > 0 && !this.#problem);
  }

  /** @param {KeyboardEvent} event */
  #pressed(event) {
    if (isComposing(event)) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) this.#move(step);
    else if (event.key === "Enter") this.#choose();
    else return;
    event.preventDefault();
  }

  /** @param {number} step */
  #move(step) {
    const { length } = this.#choices;
    const place = this.#choices.findIndex(({ id }) => id === this.#active);
    this.#isSettled = true;
    if (length) this.#activate(this.#choices[(place + step + length) % length]);
  }

  /** @param {EventTarget | null} target */
  #point(target) {
    const option = optionAt(target);
    if (!option) return;
    this.#isSettled = true;
    this.#activate(this.#choices.find(({ id }) => id === option.id));
  }

  /** @param {Choice | undefined} choice */
  #activate(choice) {
    this.#active = choice?.id ?? "";
    setActiveOption(this.#field, this.#list, choice && document.getElementById(choice.id));
  }

  /** Return the focus first: the chosen command may move it. */
  #choose() {
    const choice = this.#choices.find(({ id }) => id === this.#active);
    if (!choice) return;
    this.#dialog.close();
    choice.run();
  }
}
