/**
 * The menu of a turn, for actions without a button of their own. The page has one menu, which opens at the pressed
 * button for its turn.
 */

/** @typedef {import("../../models/conversation.js").Exchange} Exchange */
/** @typedef {{value: string, text: string}} Model */
/**
 * Actions of the menu. Optional ones have no button on some pages.
 * @typedef {object} TurnActions
 * @property {(exchange: Exchange, model: string) => void} again
 * @property {(exchange: Exchange) => void} [branch]
 * @property {(exchange: Exchange) => void} [remove]
 */

export class TurnMenu {
  #menu;
  /** @type {Exchange | null} */
  #exchange = null;

  /**
   * @param {HTMLElement} menu
   * @param {Model[]} models
   * @param {TurnActions} actions
   */
  constructor(menu, models, actions) {
    this.#menu = menu;
    const list = /** @type {HTMLElement} */ (menu.querySelector("[data-models]"));
    list.append(...models.map(button));
    menu.addEventListener("click", ({ target }) => {
      const pressed = /** @type {HTMLElement | null} */ (/** @type {Element} */ (target).closest("button"));
      if (!pressed || !this.#exchange) return;
      menu.hidePopover();
      if (pressed.dataset.model) actions.again(this.#exchange, pressed.dataset.model);
      else if (pressed.dataset.turn === "branch") actions.branch?.(this.#exchange);
      else actions.remove?.(this.#exchange);
    });
  }

  /** Set the turn that the menu is for; the pressed button opens it (`popovertarget`). @param {Exchange} exchange */
  openFor(exchange) {
    this.#exchange = exchange;
    const { model } = exchange.answer;
    for (const each of this.#menu.querySelectorAll("[data-model]")) {
      if (each.getAttribute("data-model") === model) each.setAttribute("aria-current", "true");
      else each.removeAttribute("aria-current");
    }
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
