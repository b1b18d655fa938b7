/**
 * The menu of models, loaded on demand: the ones that the server suggests, then the others, which are folded. The select of
 * the composer holds the choice; the menu shows and changes it. Arrow keys choose, and Enter or a click closes the menu.
 */

import { savePreference } from "../../api/preferences.js";
import { loadStyleSheet } from "../../browser/load_style_sheet.js";
import { isComposing } from "../../browser/ime.js";
import { t } from "../../lib/i18n.js";
import { once } from "../../lib/once.js";
import { matchesWords } from "../../lib/text_match.js";
import { idsIn } from "../../models/recent_models.js";
import { partsIn } from "../ui/template_parts.js";

const loadStyles = once(() => loadStyleSheet("side_by_side.css"));

/** @typedef {{status: import("../ui/status.js").Status, env: import("../../browser/browser_env.js").BrowserEnv}} Site */

export class ModelMenu {
  #menu;
  #parts;
  #models;
  #site;
  /** @type {HTMLElement[]} */
  #rows;
  /** @type {HTMLElement | null} */
  #more;
  /** Whether a second model is chosen, to compare its answer. */
  #isComparing = false;

  /**
   * @param {HTMLElement} menu
   * @param {import("./model_picker.js").ModelPicker} models
   * @param {Site} site
   */
  constructor(menu, models, site) {
    this.#menu = menu;
    this.#models = models;
    this.#site = site;
    this.#parts = partsIn(menu);
    this.#rows = [.../** @type {NodeListOf<HTMLElement>} */ (menu.querySelectorAll("[data-model]"))];
    this.#more = this.#parts.more ?? null;
    menu.addEventListener("beforetoggle", (event) => {
      if (/** @type {ToggleEvent} */ (event).newState === "open") this.#prepare();
    });
    menu.addEventListener("toggle", (event) => {
      if (/** @type {ToggleEvent} */ (event).newState === "open") this.#focus();
    });
    menu.addEventListener("change", ({ target }) => {
      if (target instanceof HTMLInputElement) this.#chosen(target);
    });
    models.onChange(() => this.#showNames());
    this.#parts.compare.hidden = document.querySelector("main[data-temporary]") !== null || this.#rows.length < 2;
    menu.addEventListener("click", (event) => this.#clicked(event));
    menu.addEventListener("keydown", (event) => this.#pressed(event));
    this.#parts.search.addEventListener("input", () => this.#filter());
    this.#more?.addEventListener("toggle", ({ newState }) => {
      if (newState === "open" && !this.#query) this.#more?.scrollIntoView(); // its models, not only its name
    });
    if (!menu.matches(":popover-open")) return;
    this.#prepare();
    this.#focus();
  }

  #prepare() {
    /** @type {HTMLInputElement} */ (this.#parts.search).value = "";
    for (const row of this.#rows) {
      const isPinned = this.#pinned.includes(row.dataset.model ?? "");
      row.querySelector("[data-pin]")?.setAttribute("aria-pressed", String(isPinned));
    }
    this.#setComparing(this.#models.compared !== null);
  }

  /** @param {boolean} isComparing */
  #setComparing(isComparing) {
    const { compare, comparing, keep } = this.#parts;
    this.#isComparing = isComparing;
    if (isComparing) loadStyles();
    comparing.hidden = !isComparing;
    keep.hidden = isComparing;
    compare.setAttribute("aria-pressed", String(isComparing));
    const chosen = isComparing ? this.#models.compared?.compare_with : this.#models.chosen;
    for (const radio of this.#radios) radio.checked = radio.value === chosen;
    this.#unfold();
    this.#filter();
  }

  /** @param {HTMLInputElement} input */
  #chosen({ type, value }) {
    if (type === "radio" && !this.#isComparing) this.#models.choose(value);
    else if (type === "radio") this.#compareWith(value);
    else if (type === "checkbox" && this.#models.compared) this.#compareWith(this.#models.compared.compare_with);
  }

  /** @param {string} model */
  #compareWith(model) {
    const isBlind = /** @type {HTMLInputElement | undefined} */ (this.#parts.blind)?.checked;
    this.#models.compare({ compare_with: model, ...(isBlind ? { is_blind: true } : {}) });
  }

  /** Both names are on the button that opens the menu. */
  #showNames() {
    const { chosen, compared } = this.#models;
    if (compared?.compare_with === chosen) this.#models.compare(null);
    else if (compared) {
      const name = document.querySelector("#open-models bdi");
      const names = [chosen, compared.compare_with].map((each) => this.#models.nameOf(each));
      if (name) name.textContent = names.join(" + ");
    }
  }

  /** What is chosen or pinned is always in sight. */
  #unfold() {
    const shown = [...this.#pinned, this.#models.chosen];
    const rows = this.#rows.filter((row) => this.#more?.contains(row) && shown.includes(row.dataset.model ?? ""));
    this.#parts.suggested.append(...rows);
    if (this.#more) this.#more.hidden = !this.#more.querySelector("[data-model]");
  }

  #focus() {
    const checked = this.#radios.find((radio) => radio.checked);
    checked?.focus();
    checked?.closest("[data-model]")?.scrollIntoView({ block: "nearest" });
  }

  /** Show the rows that match what is searched; the folded ones, too. */
  #filter() {
    const { list, none } = this.#parts;
    const query = this.#query;
    const taken = this.#isComparing ? this.#models.chosen : "";
    for (const row of this.#rows) {
      row.hidden = row.dataset.model === taken || !matchesWords(query, row.querySelector("bdi")?.textContent ?? "");
    }
    none.hidden = this.#rows.some((row) => !row.hidden);
    list.toggleAttribute("data-searched", query !== "");
    this.#more?.toggleAttribute("open", query !== "");
  }

  /** @param {MouseEvent} event */
  #clicked(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    const button = /** @type {HTMLElement | null} */ (target.closest("button"));
    if (button?.dataset.pin !== undefined) this.#pin(button);
    else if (button === this.#parts.compare) this.#setComparing(!this.#isComparing);
    else if (button === this.#parts.alone) this.#answerAlone();
    else if (button === this.#parts.details) this.#toggleDetails();
    else if (button === this.#parts.keep) this.#keep();
    else if (event.detail && target.closest("[data-model] label")) this.#closeSoon(); // with a pointer: arrow keys click, too
  }

  /** Enter closes the menu; what is typed goes to the search. @param {KeyboardEvent} event */
  #pressed(event) {
    const { target, key } = event;
    if (!(target instanceof HTMLInputElement) || isComposing(event)) return;
    const { search } = this.#parts;
    if (key === "Enter") {
      event.preventDefault();
      if (target === search) this.#chooseFirst();
      this.#menu.hidePopover();
    } else if (key.length === 1 && key !== " " && !event.ctrlKey && !event.metaKey && !event.altKey) search.focus();
  }

  /** After the click has reached the radio button of its label. */
  #closeSoon() {
    setTimeout(() => this.#menu.hidePopover());
  }

  #chooseFirst() {
    const first = this.#radios.find((radio) => !(/** @type {HTMLElement} */ (radio.closest("[data-model]")).hidden));
    if (!first) return;
    first.checked = true;
    this.#chosen(first);
  }

  #answerAlone() {
    this.#models.compare(null);
    this.#setComparing(false);
    this.#focus();
  }

  /** Pin a model, or unpin it. The rows stay in their places until the menu is opened again. @param {HTMLElement} button */
  async #pin(button) {
    const { model = "" } = /** @type {HTMLElement} */ (button.closest("[data-model]")).dataset;
    const before = this.#menu.dataset.pinned ?? "";
    const isPinned = this.#pinned.includes(model);
    const now = isPinned ? this.#pinned.filter((id) => id !== model) : [...this.#pinned, model];
    this.#menu.dataset.pinned = now.join(" ");
    button.setAttribute("aria-pressed", String(!isPinned));
    if (await savePreference(this.#site.env, "pinned_models", now.join(" "))) return;
    this.#menu.dataset.pinned = before;
    button.setAttribute("aria-pressed", String(isPinned));
    this.#site.status.hint(t("Couldn't save this. Check your connection, then try again."));
  }

  #toggleDetails() {
    const isShown = this.#menu.toggleAttribute("data-details");
    this.#parts.details.setAttribute("aria-pressed", String(isShown));
  }

  async #keep() {
    this.#menu.hidePopover();
    const { chosen } = this.#models;
    const isSaved = await savePreference(this.#site.env, "default_model", chosen);
    const failed = t("Couldn't save this. Check your connection, then try again.");
    this.#site.status.hint(isSaved ? t("New chats will use {name}.", { name: this.#models.nameOf(chosen) }) : failed);
  }

  get #radios() {
    return /** @type {HTMLInputElement[]} */ ([...this.#menu.querySelectorAll("input[type=radio]")]);
  }

  get #query() {
    return /** @type {HTMLInputElement} */ (this.#parts.search).value.trim();
  }

  get #pinned() {
    return idsIn(this.#menu.dataset.pinned);
  }
}
