/** What a turn's menu does, by the `data-turn` of its buttons; part of `turn_tools`. */

import { printUrl } from "../../api/urls.js";
import { onDemand } from "../../browser/on_demand.js";
import { reportAnswer } from "../feedback/report_answer.js";
import { branchIntoNewChat } from "./branch_into_new_chat.js";
import { deleteTurn } from "./turn_deletion.js";

const readingAloud = onDemand("reading_aloud");

/** @typedef {import("../../models/conversation.js").Exchange} Exchange */

/**
 * @typedef {object} StoredTurnParts
 * @property {import("../ui/toast.js").Toast} toast
 * @property {import("../../browser/safe_storage.js").SafeStorage} tabStorage
 * @property {import("../chat/branch_navigator.js").BranchNavigator} branches
 *
 * @typedef {import("../speech/reading_aloud.js").ReadingParts} TurnParts a temporary chat has only these
 */

/** @type {Record<string, (parts: TurnParts & StoredTurnParts, exchange: Exchange) => unknown>} */
export const turnCommands = {
  branch: ({ env, chat, status }, { answer, questionId = 0 }) => {
    return branchIntoNewChat(env, chat.id, answer.messageId || questionId, status);
  },
  /** Of an answer without text, there is only the chat to print. */
  print: ({ chat }, { answer }) => location.assign(printUrl(chat.id, answer.text ? answer.messageId : 0)),
  async read(parts, exchange) {
    const module = await readingAloud();
    if (module) module.readAloud(parts, exchange);
    else parts.status.hintNotLoaded();
  },
  remove(parts, exchange) {
    if (parts.branches.canLeave()) deleteTurn(parts, exchange);
  },
  report: (parts, exchange) => reportAnswer(parts, parts.chat.id, exchange),
};
