/** The visitor's conversations on this site; loaded each time the list opens. */

import { formatMoment } from "../../lib/formatting.js";
import { t } from "../../lib/i18n.js";

/**
 * @param {HTMLElement} panel the popover for the list
 * @param {import("../../api/widget_session.js").WidgetSession} visit
 * @param {import("../chat/chat_controller.js").ChatController} chat
 * @param {import("./conversation_switcher.js").ConversationSwitcher} conversations
 */
export function wireConversationHistory(panel, visit, chat, conversations) {
  const [note, list] = /** @type {HTMLElement[]} */ ([panel.querySelector("[role=status]"), panel.querySelector("ul")]);
  panel.addEventListener("toggle", async (event) => {
    if (/** @type {ToggleEvent} */ (event).newState !== "open") return;
    note.textContent = list.children.length ? "" : t("Loading…");
    try {
      const found = await visit.conversations();
      list.replaceChildren(...found.map((each) => entry(each, each.id === chat.id)));
      note.textContent = found.length ? "" : t("No chats yet.");
    } catch (error) {
      note.textContent = /** @type {Error} */ (error).message;
    }
  });
  list.addEventListener("click", ({ target }) => {
    const chosen = /** @type {Element} */ (target).closest("button");
    if (!chosen) return;
    panel.hidePopover();
    conversations.goTo(chosen.dataset.conversation ?? "").catch((error) => chat.status.hintError(error));
  });
}

/** @param {import("../../api/widget_session.js").ListedConversation} listed @param {boolean} isShown */
function entry({ id, title, updated_at }, isShown) {
  const item = document.createElement("li");
  const button = document.createElement("button");
  const name = document.createElement("bdi");
  const time = document.createElement("time");
  button.type = "button";
  button.dataset.conversation = id;
  if (isShown) button.setAttribute("aria-current", "true");
  name.className = "truncate";
  name.textContent = title || t("Untitled");
  time.textContent = formatMoment(Date.parse(updated_at));
  button.append(name, time);
  item.append(button);
  return item;
}
