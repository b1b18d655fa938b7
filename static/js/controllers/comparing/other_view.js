/** The element of the answer that the chat's own one is compared with, and another attempt at the chat's own. */

import { OtherAnswer } from "../../models/other_answer.js";
import { AnswerView } from "../transcript/answer_view.js";

/** @typedef {import("../../models/conversation.js").Exchange} Exchange */
/** @typedef {import("../transcript/transcript.js").OptionalActions} Actions */
/**
 * @typedef {object} Parts
 * @property {HTMLElement} page
 * @property {import("../../browser/browser_env.js").BrowserEnv} env
 * @property {import("../ui/status.js").Status} status
 * @property {import("../composer/model_picker.js").ModelPicker} models
 * @property {import("../chat/chat_controller.js").ChatController} chat
 * @property {import("../chat/server_store.js").ServerStore} store
 * @property {import("../chat/branch_navigator.js").BranchNavigator} branches
 * @property {Actions} actions
 */

/**
 * @param {OtherAnswer} other
 * @param {Exchange} exchange of the chat's own answer
 * @param {Parts} parts
 */
export function viewOf(other, exchange, { models, status, env, actions }) {
  const beside = { ...exchange, answer: other.answer };
  return new AnswerView(other.answer, models, status, {
    env,
    refresh: actions.refresh,
    choose: (choice) => choice === "continue" && other.proceed(),
    rate: async (opinion) => (await actions.rate?.(beside, opinion)) ?? false,
    report() {},
    retry() {},
    more: () => actions.more?.(beside),
    version: (id) => actions.version?.(id),
  });
}

/**
 * Ask for another answer in place of the chat's own, which failed, and show it.
 * @param {Parts} parts
 * @param {number} beside the answer that it is compared with
 */
export function replaceOwn({ env, store, branches, status }, beside) {
  const nothing = () => {};
  const accepted = () => {
    again.leave();
    branches.show(again.answer.messageId);
  };
  const ended = () => status.hint(again.answer.problem?.message ?? "");
  const again = new OtherAnswer(env, store.id, "", { started: nothing, accepted, changed: nothing, ended, stopFailed: nothing });
  again.ask(beside);
}
