/**
 * A member's chat, which is stored on the server. The page shows one stored branch, and follows an answer that is being
 * written in it, whichever tab requested it.
 */

import { fetchConversation, fetchMessage } from "../../api/conversations.js";
import { markRead } from "../../api/mark_read.js";
import { conversationUrl } from "../../api/urls.js";
import { elementById } from "../../browser/dom.js";
import { onDemand } from "../../browser/on_demand.js";
import { Outbox } from "../../models/outbox.js";
import { QuestionEdits } from "../../models/question_edits.js";
import { StoredConversation } from "../../models/stored_conversation.js";
import { rateAnswer } from "../feedback/rate_answer.js";
import { loadTurnTools } from "../editing/load_turn_tools.js";
import { TurnMenu } from "../transcript/turn_menu.js";
import { BranchNavigator } from "./branch_navigator.js";
import { ChatController } from "./chat_controller.js";
import { chosenExtras, wirePickers } from "../composer/choice_pickers.js";
import { EarlierTurns } from "./earlier_turns.js";
import { readTurns } from "./server_rendered_turns.js";
import { ServerStore } from "./server_store.js";
import { findStoredSend } from "./unsent_recovery.js";

const comparing = onDemand("side_by_side");

/**
 * @typedef {import("./chat_controller.js").ChatParts & {
 *   models: import("../composer/model_picker.js").ModelPicker,
 *   tabStorage: import("../../browser/safe_storage.js").SafeStorage,
 *   retryMenu: HTMLElement,
 * }} MemberPageParts
 * @typedef {MemberPageParts & {
 *   deviceStorage: import("../../browser/safe_storage.js").SafeStorage,
 *   toast: import("../ui/toast.js").Toast,
 *   earlier: HTMLElement,
 *   sidebar: import("../sidebar/sidebar.js").Sidebar,
 *   isReloaded: boolean,
 *   signal: AbortSignal,
 * }} MemberChatParts
 */

/** @typedef {import("./chat_store.js").Exchange} Exchange */

/**
 * @param {MemberChatParts} parts
 * @returns {{chat: ChatController, open: () => void, refresh: (isSuggestion?: boolean) => Promise<void>}} `open` shows it,
 *   `refresh` checks for changes, or only for suggested questions
 */
export function createMemberChat(parts) {
  const { env, models, sidebar, signal } = parts;
  wirePickers(signal);
  const turns = readTurns(parts.thread);
  const store = storeOf(parts, turns);
  const actions = {
    env,
    refresh: () => branches.refresh(),
    rate: (/** @type {Exchange} */ exchange, /** @type {import("../../models/answer.js").Opinion} */ opinion) => rateAnswer(parts, store.id, exchange, opinion),
    version: (/** @type {number} */ id) => branches.showVersion(id),
    more: (/** @type {Exchange} */ exchange) => menu.openFor(exchange),
    retry: async (/** @type {Exchange} */ exchange) =>
      (await loadTurnTools(parts.status))?.openRetryMenu(parts.retryMenu, models, exchange, {
        retry: (model) => chat.retries.regenerate(exchange, model),
        compare: exchange === store.conversation.last ? compare : null,
      }),
  };
  const chat = new ChatController(parts, store, actions);
  const earlier = new EarlierTurns(parts.earlier, chat, store, async (before) => {
    const page = await fetchConversation(env, store.id, { before });
    return { turns: page.turns, hasEarlier: page.has_earlier };
  }, signal);
  chat.subscribe({
    ended() {
      if (store.id && !document.hidden) markRead(env, store.id);
    },
  });
  const branches = new BranchNavigator({ chat, store, env, earlier, onNews: () => sidebar.refresh(), signal });
  chat.subscribe({
    shown: compare,
    accepted() {
      sidebar.refresh(); // this branch is the latest one now
      compare();
    },
  });
  const menu = new TurnMenu(elementById("turn-menu", HTMLElement), { ...parts, chat, branches });
  addEventListener("pagehide", () => store.leave(), { signal });
  signal.addEventListener("abort", () => store.leave()); // after its answer was left, so that a queued message is kept too

  return { chat, open, refresh: (isSuggestion) => (isSuggestion && !chat.answers.isRunning ? readFollowUps() : branches.refresh()) };

  function open() {
    chat.open(store.outbox.restore(turns));
    earlier.offer();
    models.choose(store.conversation.last?.answer.model ?? "");
    chat.rewriting.reopen(store.conversation.exchanges, store.edits?.findUnfinished(turns) ?? []);
    chat.follow();
    openWhatArrived();
  }

  async function readFollowUps() {
    const { last } = store.conversation;
    const turn = last && (await fetchMessage(env, store.id, last.answer.messageId).catch(() => null));
    if (!turn) return;
    last.answer.followUps = turn.follow_ups ?? [];
    chat.transcript.changed(last);
  }

  /** Show beside each other the last two answers, if they are compared. @param {string} [model] to compare the last answer with */
  async function compare(model) {
    const { last } = store.conversation;
    if (last && (model || last.answer.pair)) (await comparing())?.showBeside({ ...parts, chat, store, branches, actions }, last, model);
  }

  /** A message whose page was closed while it was being sent may have started a conversation. */
  async function openWhatArrived() {
    const id = await findStoredSend(chat, store, env);
    if (id && !store.id && parts.isReloaded && !signal.aborted) location.replace(conversationUrl(id));
  }
}

/** @param {MemberChatParts} parts @param {import("../../api/conversations.js").StoredMessage[]} turns */
function storeOf({ page, thread, env, models, tabStorage, deviceStorage }, turns) {
  const link = thread.querySelector("#earlier"); // only needed without scripts
  link?.remove();
  const { conversation = "", persona, project } = page.dataset;
  return new ServerStore({
    env,
    models,
    conversation: StoredConversation.of(conversation, turns, link !== null, persona, project),
    outbox: new Outbox(tabStorage, conversation, deviceStorage),
    edits: new QuestionEdits(tabStorage),
    extras: chosenExtras,
    besides: () => models.takeCompared(),
  });
}
