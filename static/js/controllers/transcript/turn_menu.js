/**
 * The menu of a turn, for actions without a button of their own. The page has one menu, which opens at the pressed
 * button for its turn.
 */

/** @typedef {import("../../models/conversation.js").Exchange} Exchange */

export class TurnMenu {
  #menu;
  /** @type {Exchange | null} */
  #exchange = null;

  /**
   * @param {HTMLElement} menu
   * @param {Record<string, (exchange: Exchange) => void>} actions by the `data-turn` of their buttons
   */
  constructor(menu, actions) {
    this.#menu = menu;
    menu.addEventListener("click", ({ target }) => {
      const pressed = /** @type {HTMLElement | null} */ (/** @type {Element} */ (target).closest("[data-turn]"));
      if (!pressed || !this.#exchange) return;
      menu.hidePopover();
      actions[pressed.dataset.turn ?? ""]?.(this.#exchange);
    });
  }

  /** Set the turn that the menu is for; the pressed button opens it (`popovertarget`). @param {Exchange} exchange */
  openFor(exchange) {
    this.#exchange = exchange;
    const { messageId, text } = exchange.answer;
    const report = /** @type {HTMLElement | null} */ (this.#menu.querySelector('[data-turn="report"]'));
    if (report) report.hidden = !messageId || !text;
  }
}
