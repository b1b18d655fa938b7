/**
 * The menu of models, loaded on demand: pinned ones first, then those that were used last on this device. The select of the composer holds
 * the choice; the menu shows and changes it. Arrow keys choose, and Enter or a click closes the menu.
 */

import { savePreference } from "../../api/preferences.js";
import { isComposing } from "../../browser/ime.js";
import { t } from "../../lib/i18n.js";
import { matchesWords } from "../../lib/text_match.js";
import { idsIn, recentModels } from "../../models/recent_models.js";
import { partsIn } from "../ui/template_parts.js";

/** @typedef {{status: import("../ui/status.js").Status, env: import("../../browser/browser_env.js").BrowserEnv, storage: import("../../browser/safe_storage.js").SafeStorage}} Site */

export class ModelMenu {
  #menu;
  #parts;
  #models;
  #site;
  /** @type {HTMLElement[]} in the site's order */
  #rows;

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
    menu.addEventListener("beforetoggle", (event) => {
      if (/** @type {ToggleEvent} */ (event).newState === "open") this.#prepare();
    });
    menu.addEventListener("toggle", (event) => {
      if (/** @type {ToggleEvent} */ (event).newState === "open") this.#focus();
    });
    menu.addEventListener("change", ({ target }) => {
      if (target instanceof HTMLInputElement && target.type === "radio") models.choose(target.value);
    });
    menu.addEventListener("click", (event) => this.#clicked(event));
    menu.addEventListener("keydown", (event) => this.#pressed(event));
    this.#parts.search.addEventListener("input", () => this.#arrange());
    if (!menu.matches(":popover-open")) return;
    this.#prepare();
    this.#focus();
  }

  #prepare() {
    const { search } = this.#parts;
    if (search instanceof HTMLInputElement) search.value = "";
    this.#arrange();
    for (const radio of this.#radios) radio.checked = radio.value === this.#models.chosen;
  }

  #focus() {
    const checked = this.#radios.find((radio) => radio.checked);
    checked?.focus();
    checked?.closest("[data-model]")?.scrollIntoView({ block: "nearest" });
  }

  /** Order the rows, and show those that match what is searched. */
  #arrange() {
    const { list, search, pinned, recent, all, none } = this.#parts;
    const query = search instanceof HTMLInputElement ? search.value.trim() : "";
    const pins = this.#rows.filter(({ dataset }) => this.#pinned.includes(dataset.model ?? ""));
    const used = this.#recent.flatMap((id) => this.#rows.find((row) => row.dataset.model === id && !pins.includes(row)) ?? []);
    const others = this.#rows.filter((row) => !pins.includes(row) && !used.includes(row));
    for (const row of this.#rows) {
      row.hidden = !matchesWords(query, row.querySelector("bdi")?.textContent ?? "");
      row.querySelector("[data-pin]")?.setAttribute("aria-pressed", String(pins.includes(row)));
    }
    none.hidden = this.#rows.some((row) => !row.hidden);
    const isPlain = query !== "" || pins.length + used.length === 0;
    pinned.hidden = isPlain || !pins.length;
    recent.hidden = isPlain || !used.length;
    all.hidden = isPlain || !others.length;
    list.append(pinned, ...pins, recent, ...used, all, ...others, none);
  }

  /** @param {MouseEvent} event */
  #clicked(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    const button = /** @type {HTMLElement | null} */ (target.closest("button"));
    if (button?.dataset.pin !== undefined) this.#pin(button);
    else if (button === this.#parts.details) this.#toggleDetails();
    else if (button === this.#parts.keep) this.#keep();
    else if (event.detail && target.closest("label")) this.#closeSoon(); // with a pointer: arrow keys click, too
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
    if (first) this.#models.choose(first.value);
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

  get #pinned() {
    return idsIn(this.#menu.dataset.pinned);
  }

  get #recent() {
    return recentModels(this.#site.storage);
  }
}
