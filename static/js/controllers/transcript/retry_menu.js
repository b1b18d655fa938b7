/**
 * The menu of the Retry buttons, part of `turn_tools`: request another answer, from the same model or another one, or
 * compare the answer with another model's. One for the page. It shows the suggested models, and folds the others.
 */

import { findElement, findElements } from "../../browser/dom.js";
import { t } from "../../lib/i18n.js";
import { splitFiles } from "../../lib/text_files.js";

/** @typedef {import("../../models/conversation.js").Exchange} Exchange */
/** @typedef {{value: string, text: string, isSuggested: boolean}} Model */
/**
 * @typedef {object} Choices
 * @property {(model: string) => void} retry
 * @property {((model: string) => void) | null} [compare] null if the answer can't be compared
 */

/** @type {WeakMap<HTMLElement, RetryMenu>} */
const menus = new WeakMap();

/**
 * Set the answer that the menu is for; the pressed button opens it (`popovertarget`).
 * @param {HTMLElement} menu
 * @param {import("../composer/model_picker.js").ModelPicker} models
 * @param {Exchange} exchange
 * @param {Choices} choices
 */
export function openRetryMenu(menu, models, exchange, choices) {
  let known = menus.get(menu);
  if (!known) menus.set(menu, (known = new RetryMenu(menu, models)));
  known.openFor(exchange, choices);
}

class RetryMenu {
  #menu;
  #models;
  #more;
  #compare;
  #heading = document.createElement("p");
  /** @type {Exchange | null} */
  #exchange = null;
  /** @type {Choices} */
  #choices = { retry() {} };

  /** @param {HTMLElement} menu @param {import("../composer/model_picker.js").ModelPicker} models */
  constructor(menu, models) {
    this.#menu = menu;
    this.#models = models;
    this.#more = folded();
    this.#heading.id = "again-with";
    this.#heading.className = "menu-heading";
    this.#compare = button("", t("Compare with…"));
    const group = document.createElement("div");
    group.setAttribute("role", "group");
    group.setAttribute("aria-labelledby", this.#heading.id);
    const named = (/** @type {Model[]} */ list) => list.map(({ value, text }) => button(value, text));
    this.#more.append(...named(models.options.filter(({ isSuggested }) => !isSuggested)));
    group.append(this.#heading, ...named(models.options.filter(({ isSuggested }) => isSuggested)), this.#more);
    menu.append(this.#compare, group);
    findElement(menu, "[data-same]", HTMLButtonElement).disabled = false;
    menu.addEventListener("click", ({ target }) => {
      const pressed = /** @type {HTMLElement | null} */ (/** @type {Element} */ (target).closest("button"));
      if (pressed && this.#exchange) this.#pressed(pressed, this.#exchange);
    });
  }

  /** @param {Exchange} exchange @param {Choices} choices */
  openFor(exchange, choices) {
    this.#exchange = exchange;
    this.#choices = choices;
    this.#compare.hidden = !choices.compare;
    this.#compare.setAttribute("aria-pressed", "false");
    this.#offer(exchange);
  }

  /** @param {Exchange} exchange */
  #offer(exchange) {
    this.#heading.textContent = this.#isComparing ? t("Compare with") : t("Try again with");
    const hasImages = splitFiles(exchange.question).files.some(({ image }) => image);
    const buttons = findElements(this.#menu, "[data-model]", HTMLButtonElement);
    for (const each of buttons) {
      const { model = "" } = each.dataset;
      const isSame = model === exchange.answer.model;
      if (isSame) each.setAttribute("aria-current", "true");
      else each.removeAttribute("aria-current");
      each.hidden = hasImages && !this.#models.abilitiesOf(model)?.vision;
      each.disabled = isSame && this.#isComparing; // still there: nothing moves under the pointer
    }
    const offered = buttons.filter(({ hidden }) => !hidden);
    const more = offered.filter((each) => this.#more.contains(each));
    this.#more.hidden = !more.length;
    this.#more.open = more.length === offered.length;
  }

  get #isComparing() {
    return this.#compare.getAttribute("aria-pressed") === "true";
  }

  /** @param {HTMLElement} pressed @param {Exchange} exchange */
  #pressed(pressed, exchange) {
    if (pressed === this.#compare) {
      pressed.setAttribute("aria-pressed", String(!this.#isComparing));
      this.#offer(exchange);
      return;
    }
    this.#menu.hidePopover();
    const { model } = pressed.dataset;
    if (model && this.#isComparing) this.#choices.compare?.(model);
    else this.#choices.retry(model ?? exchange.answer.model);
  }
}

/** Return the part of the menu that is unfolded to see all models. */
function folded() {
  const details = document.createElement("details");
  const summary = document.createElement("summary");
  const arrow = document.querySelector("#open-models svg")?.cloneNode(true);
  summary.append(...(arrow ? [arrow] : []), t("More models"));
  details.append(summary);
  return details;
}

/** @param {string} model @param {string} text */
function button(model, text) {
  const element = document.createElement("button");
  const name = document.createElement("bdi");
  element.type = "button";
  if (model) element.dataset.model = model;
  name.textContent = text;
  element.append(name);
  return element;
}
