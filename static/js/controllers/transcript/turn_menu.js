/**
 * The menu of a turn, for actions without a button of their own. The page has one menu, which opens at the pressed
 * button for its turn.
 */

import { loadTurnTools } from "../editing/load_turn_tools.js";

/** @typedef {import("../../models/conversation.js").Exchange} Exchange */
/** @typedef {import("../editing/turn_commands.js").TurnParts} TurnParts */
/** @typedef {import("../editing/turn_commands.js").StoredTurnParts} StoredTurnParts */

export class TurnMenu {
  #menu;
  /** @type {Exchange | null} */
  #exchange = null;

  /**
   * @param {HTMLElement} menu
   * @param {TurnParts & Partial<StoredTurnParts>} parts for its commands: a temporary chat has few of them
   */
  constructor(menu, parts) {
    this.#menu = menu;
    menu.addEventListener("click", async ({ target }) => {
      const exchange = this.#exchange;
      const pressed = /** @type {HTMLElement | null} */ (/** @type {Element} */ (target).closest("[data-turn]"));
      if (!pressed || !exchange) return;
      menu.hidePopover();
      const tools = await loadTurnTools(parts.status);
      tools?.turnCommands[pressed.dataset.turn ?? ""](/** @type {TurnParts & StoredTurnParts} */ (parts), exchange);
    });
  }

  /** Set the turn that the menu is for; the pressed button opens it (`popovertarget`). @param {Exchange} exchange */
  openFor(exchange) {
    this.#exchange = exchange;
    const { messageId, text } = exchange.answer;
    this.#offer("report", messageId && text);
    this.#offer("read", text);
  }

  /** @param {string} name @param {unknown} isOffered */
  #offer(name, isOffered) {
    const button = /** @type {HTMLElement | null} */ (this.#menu.querySelector(`[data-turn=${name}]`));
    if (button) button.hidden = !isOffered;
  }
}
