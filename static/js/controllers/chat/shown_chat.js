/** The chat that the page shows: its header and main part, until another one takes their place (chat_switch.js). */

import { elementById } from "../../browser/dom.js";
import { onDemand } from "../../browser/on_demand.js";
import { refreshAllowance } from "../composer/allowance.js";
import { ContextGauge } from "../composer/context_gauge.js";
import { rememberModel } from "../composer/model_menu_opener.js";
import { wireFileInput } from "../composer/file_input.js";
import { PersonaLabel } from "../composer/persona_label.js";
import { wirePromptSuggestions } from "../composer/prompt_suggestions.js";
import { wireRefusedMessages } from "../composer/refused_messages.js";
import { wireStarters } from "../composer/starters.js";
import { ChatHead } from "./chat_head.js";
import { createMemberChat } from "./member_chat.js";
import { returnTo } from "./reading_place.js";
import { createTemporaryChat } from "./temporary_chat.js";

const scrolling = onDemand("scroll_to_hit");
const dictating = onDemand("dictation");

/**
 * What all chats on the page share.
 * @typedef {object} Shell
 * @property {import("../../browser/safe_storage.js").SafeStorage} tabStorage
 * @property {import("../../browser/safe_storage.js").SafeStorage} deviceStorage
 * @property {import("../../browser/browser_env.js").BrowserEnv} env
 * @property {import("../ui/status.js").Status} status
 * @property {import("../ui/toast.js").Toast} toast
 * @property {import("../sidebar/sidebar.js").Sidebar} sidebar
 * @property {import("../composer/model_picker.js").ModelPicker} models
 * @property {((id: string) => void) | null} share
 *
 * @typedef {object} ShownChat
 * @property {import("./chat_controller.js").ChatController} chat
 * @property {ChatHead} head
 * @property {((isSuggestion?: boolean) => void) | undefined} refresh checks the chat for changes, if other tabs can make any
 * @property {import("../commands/command_palette.js").UsePrompt} usePrompt
 * @property {(place?: import("./reading_place.js").Place | null) => void} open shows it, at the reader's place
 */

/**
 * Wire the chat in the page's elements.
 * @param {Shell} shell
 * @param {AbortSignal} signal ends it, because the page shows another chat
 * @param {boolean} isReloaded
 * @returns {ShownChat}
 */
export function wireChat(shell, signal, isReloaded) {
  const { env, models, status, tabStorage } = shell;
  const page = elementById("main", HTMLElement);
  const composer = elementById("composer", HTMLFormElement);
  const head = new ChatHead(elementById("chat-head", HTMLElement), page, env, status);
  const { chat, open, refresh } = chatOf(shell, page, composer, { signal, isReloaded });
  chat.subscribe({
    ended: refreshAllowance,
    accepted: ({ answer }) => {
      if (chat.id) head.opened(chat.id);
      rememberModel(env, elementById("model-menu", HTMLElement), answer.model);
    },
  });
  const usePrompt = wirePromptSuggestions(composer, { status, env, storage: tabStorage });
  const parts = { form: composer, composer: chat.composer, status, env, models, signal };
  wireFileInput(parts);
  wireRefusedMessages({ chat, form: composer, status }, signal);
  wireStarters(page, (prompt) => chat.send(prompt));
  const button = document.getElementById("dictate");
  if (button) button.onclick = button.onpointerdown = async (event) => (await dictating())?.dictate(event, parts);
  document.getElementById("share")?.addEventListener("click", (event) => {
    event.preventDefault();
    shell.share?.(chat.id);
  });
  return { chat, head, refresh, usePrompt, open: (place) => openAt(place, chat, open) };
}

/**
 * @param {Shell} shell
 * @param {HTMLElement} page
 * @param {HTMLFormElement} composer
 * @param {{signal: AbortSignal, isReloaded: boolean}} visit
 * @returns {{chat: import("./chat_controller.js").ChatController, open: () => void, refresh?: (isSuggestion?: boolean) => void}}
 */
function chatOf(shell, page, composer, visit) {
  const { models, status } = shell;
  const warning = elementById("window-warning", HTMLElement);
  const say = (/** @type {string} */ words) => status.say(words);
  const parts = {
    ...shell,
    ...visit,
    page,
    composer,
    thread: elementById("thread", HTMLElement),
    jump: elementById("jump", HTMLElement),
    gauge: new ContextGauge(elementById("gauge", HTMLElement), warning, models, say, visit.signal),
    retryMenu: elementById("retry-menu", HTMLElement),
  };
  if (page.dataset.temporary === undefined) return createMemberChat({ ...parts, earlier: elementById("show-earlier", HTMLElement) });
  const persona = new PersonaLabel(elementById("persona", HTMLElement), page.dataset.persona);
  return createTemporaryChat({ ...parts, persona, startOver: document.getElementById("start-over") });
}

/**
 * Open the chat at the reader's place, or else at the message that the URL names.
 * @param {import("./reading_place.js").Place | null | undefined} place
 * @param {import("./chat_controller.js").ChatController} chat
 * @param {() => void} open
 */
function openAt(place, chat, open) {
  const found = /^#m\d+$/.test(location.hash) ? document.getElementById(location.hash.slice(1)) : null;
  const exchange = /** @type {HTMLElement | null | undefined} */ (found?.closest(".exchange"));
  found?.removeAttribute("id"); // otherwise the browser scrolls to it later, too, and moves the focus
  open();
  if (place) returnTo(chat, place);
  else if (exchange) {
    const turn = found?.matches(".question") ? "question" : "answer";
    scrolling().then((module) => module?.scrollToHit({ exchange, turn }, (find, top) => chat.jump.hold(find, top)));
  }
}
