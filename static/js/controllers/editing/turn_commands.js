/** The member's commands in a turn's menu: branch into a new chat, or delete. */

import { loadTurnTools } from "./load_turn_tools.js";

/** @typedef {import("../../models/conversation.js").Exchange} Exchange */

/**
 * @typedef {object} TurnCommandParts
 * @property {import("../../browser/browser_env.js").BrowserEnv} env
 * @property {import("../ui/status.js").Status} status
 * @property {import("../ui/toast.js").Toast} toast
 * @property {import("../chat/chat_controller.js").ChatController} chat
 * @property {import("../chat/branch_navigator.js").BranchNavigator} branches
 */

export class TurnCommands {
  #parts;

  /** @param {TurnCommandParts} parts */
  constructor(parts) {
    this.#parts = parts;
  }

  /** @param {Exchange} exchange */
  async branch({ answer, questionId = 0 }) {
    const { env, chat, status } = this.#parts;
    const tools = await loadTurnTools(status);
    tools?.branchIntoNewChat(env, chat.id, answer.messageId || questionId, status);
  }

  /** Delete a turn and everything after it. @param {Exchange} exchange */
  async remove(exchange) {
    const tools = this.#parts.branches.canLeave() && (await loadTurnTools(this.#parts.status));
    if (tools) tools.deleteTurn(this.#parts, exchange);
  }
}
