/**
 * The menu of the Retry buttons: request another answer, from the same model or another one. One for the page. It shows the
 * suggested models, and folds the others.
 */

import { findElement, findElements } from "../../browser/dom.js";
import { splitFiles } from "../../lib/text_files.js";

/** @typedef {import("../../models/conversation.js").Exchange} Exchange */
/** @typedef {{value: string, text: string, isSuggested: boolean}} Model */

export class RetryMenu {
  #menu;
  #models;
  #more;
  /** @type {Exchange | null} */
  #exchange = null;

  /**
   * @param {HTMLElement} menu
   * @param {import("../composer/model_picker.js").ModelPicker} models
   * @param {(exchange: Exchange, model: string) => void} retry
   */
  constructor(menu, models, retry) {
    this.#menu = menu;
    this.#models = models;
    this.#more = findElement(menu, "details", HTMLDetailsElement);
    for (const each of models.options) {
      if (each.isSuggested) this.#more.before(button(each));
      else this.#more.append(button(each));
    }
    menu.addEventListener("click", ({ target }) => {
      const pressed = /** @type {HTMLElement | null} */ (/** @type {Element} */ (target).closest("button"));
      if (!pressed || !this.#exchange) return;
      menu.hidePopover();
      retry(this.#exchange, pressed.dataset.model ?? this.#exchange.answer.model);
    });
  }

  /** Set the answer that the menu is for; the pressed button opens it (`popovertarget`). @param {Exchange} exchange */
  openFor(exchange) {
    this.#exchange = exchange;
    const hasImages = splitFiles(exchange.question).files.some(({ image }) => image);
    const buttons = findElements(this.#menu, "[data-model]", HTMLButtonElement);
    for (const each of buttons) {
      const { model = "" } = each.dataset;
      if (model === exchange.answer.model) each.setAttribute("aria-current", "true");
      else each.removeAttribute("aria-current");
      each.hidden = hasImages && !this.#models.abilitiesOf(model)?.vision;
    }
    const offered = buttons.filter(({ hidden }) => !hidden);
    const more = offered.filter((each) => this.#more.contains(each));
    this.#more.hidden = !more.length;
    this.#more.open = more.length === offered.length;
  }
}

/** @param {Model} model */
function button({ value, text }) {
  const element = document.createElement("button");
  const name = document.createElement("bdi");
  element.type = "button";
  element.dataset.model = value;
  name.textContent = text;
  element.append(name);
  return element;
}
