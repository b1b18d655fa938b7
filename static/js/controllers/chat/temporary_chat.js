/**
 * A chat that exists only in this tab: each question sends all of it, and it survives a reload, except for its images. It
 * has one branch: an edited question or another answer replaces what followed.
 */

import { t } from "../../lib/i18n.js";
import { keepImagesInTab } from "../../models/tab_images.js";
import { chosenExtras, wirePickers } from "../composer/choice_pickers.js";
import { loadTurnTools } from "../editing/load_turn_tools.js";
import { TurnMenu } from "../transcript/turn_menu.js";
import { ChatController } from "./chat_controller.js";
import { TemporaryStore } from "./temporary_store.js";

/**
 * @typedef {import("./member_chat.js").MemberPageParts & {
 *   deviceStorage: import("../../browser/safe_storage.js").SafeStorage,
 *   signal: AbortSignal,
 *   persona: import("../composer/persona_label.js").PersonaLabel,
 *   startOver: HTMLElement | null,
 * }} TemporaryChatParts
 */

/** @param {TemporaryChatParts} parts @returns {{chat: ChatController, open: () => void}} */
export function createTemporaryChat(parts) {
  const { models, persona } = parts;
  wirePickers();
  const { maxImages, maxImageBytes } = parts.composer.dataset;
  const images = keepImagesInTab(Number(maxImages) * Number(maxImageBytes));
  const store = new TemporaryStore(parts.tabStorage, models, chosenExtras);
  const chat = new ChatController(parts, store, {
    retry: async (exchange) =>
      (await loadTurnTools(parts.status))?.openRetryMenu(parts.retryMenu, models, exchange, { retry: (model) => chat.retries.regenerate(exchange, model) }),
    more: (exchange) => turnMenu?.openFor(exchange),
  });
  const element = document.getElementById("turn-menu");
  const turnMenu = element && new TurnMenu(element, { ...parts, chat });
  chat.subscribe({ changed: () => store.saveSoon() });
  parts.startOver?.addEventListener("click", startOver);
  addEventListener("pagehide", () => store.save());

  return { chat, open };

  /** Show what the tab has stored, and follow a running answer. */
  function open() {
    const { exchanges, forgotten, model } = store.conversation;
    if (exchanges.length) persona.show(store.conversation.persona);
    else store.conversation.persona = persona.chosen;
    if (exchanges.length || !persona.chosen) models.choose(model);
    chat.open(store.draft);
    if (forgotten) chat.transcript.note(t("Only the latest part of this chat could be kept in this tab."));
    chat.follow();
    if (store.hasLostImages) parts.status.hint(t("A reload forgets the images of a temporary chat. Add them again to ask about them."));
  }

  function startOver() {
    chat.answers.abandon();
    store.startOver(persona.chosen);
    persona.show(persona.chosen);
    chat.replace();
    chat.jump.release();
    store.save();
    images.keepOnly(chat.composer.text);
    chat.composer.focus();
  }
}
