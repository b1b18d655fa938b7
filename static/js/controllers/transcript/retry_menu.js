/** The menu of the Retry buttons: request another answer, from the same model or another one. One for the page. */

/** @typedef {import("../../models/conversation.js").Exchange} Exchange */
/** @typedef {{value: string, text: string}} Model */

export class RetryMenu {
  #menu;
  /** @type {Exchange | null} */
  #exchange = null;

  /**
   * @param {HTMLElement} menu
   * @param {Model[]} models
   * @param {(exchange: Exchange, model: string) => void} retry
   */
  constructor(menu, models, retry) {
    this.#menu = menu;
    menu.querySelector("[data-models]")?.append(...models.map(button));
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
    for (const each of this.#menu.querySelectorAll("[data-model]")) {
      if (each.getAttribute("data-model") === exchange.answer.model) each.setAttribute("aria-current", "true");
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
