/** Entry point of the chat page. */

import "./htmx_policy.js";
import { browserEnv } from "./browser/browser_env.js";
import { elementById } from "./browser/dom.js";
import { whenIdle } from "./browser/idle.js";
import { removeNoticeWorker } from "./browser/notice_worker.js";
import { onDemand } from "./browser/on_demand.js";
import { SafeStorage } from "./browser/safe_storage.js";
import { sendTimeZone } from "./browser/time_zone.js";
import { ChatHead } from "./controllers/chat/chat_head.js";
import { createMemberChat } from "./controllers/chat/member_chat.js";
import { wireNotifications } from "./controllers/chat/notifications.js";
import { createTemporaryChat } from "./controllers/chat/temporary_chat.js";
import { allCommands } from "./controllers/commands/commands.js";
import { wireKeyboardShortcuts } from "./controllers/commands/keyboard_shortcuts.js";
import { wirePalette } from "./controllers/commands/palette_opener.js";
import { ShortcutDialog, keysOfCommand } from "./controllers/commands/shortcut_dialog.js";
import { refreshAllowance } from "./controllers/composer/allowance.js";
import { ContextGauge } from "./controllers/composer/context_gauge.js";
import { wireFileInput } from "./controllers/composer/file_input.js";
import { wireModelMenu } from "./controllers/composer/model_menu_opener.js";
import { ModelPicker } from "./controllers/composer/model_picker.js";
import { PersonaLabel } from "./controllers/composer/persona_label.js";
import { wirePromptSuggestions } from "./controllers/composer/prompt_suggestions.js";
import { wireSelectionQuoting } from "./controllers/composer/selection_quoting.js";
import { wireStarters } from "./controllers/composer/starters.js";
import { wireShareDialog } from "./controllers/sharing/share_dialog.js";
import { wireOrganizer } from "./controllers/sidebar/organizer_opener.js";
import { Sidebar } from "./controllers/sidebar/sidebar.js";
import { wireSidebarDrawer } from "./controllers/sidebar/sidebar_drawer.js";
import { wireImages } from "./controllers/transcript/image_opener.js";
import { wireDialog } from "./controllers/ui/dialog.js";
import { watchReachability } from "./controllers/ui/offline_notice.js";
import { Status } from "./controllers/ui/status.js";
import { Toast } from "./controllers/ui/toast.js";
import { wireTooltips } from "./controllers/ui/tooltip.js";
import { loadHtmxWhenNeeded } from "./htmx_on_demand.js";
import { configureHtmx } from "./htmx_requests.js";
import { t } from "./lib/i18n.js";
import { rememberModel } from "./models/recent_models.js";

const scrolling = onDemand("scroll_to_hit");
const noticing = onDemand("answer_notices");

const page = elementById("main", HTMLElement);
const composer = elementById("composer", HTMLFormElement);
const tabStorage = new SafeStorage(page.dataset.member ?? "");
const deviceStorage = new SafeStorage(page.dataset.member ?? "", () => localStorage);
const status = new Status(elementById("announcer", HTMLElement), elementById("hint", HTMLElement));
const env = watchReachability(elementById("offline", HTMLElement), status, browserEnv);
const aside = elementById("sidebar", HTMLElement);
const toast = new Toast(elementById("toast", HTMLElement), status, aside);
const head = new ChatHead(elementById("chat-head", HTMLElement), page, env, status);
const sidebar = new Sidebar(aside, head);
const models = new ModelPicker(elementById("model", HTMLSelectElement), elementById("thinking", HTMLSelectElement));
const parts = {
  page,
  tabStorage,
  status,
  env,
  thread: elementById("thread", HTMLElement),
  composer,
  jump: elementById("jump", HTMLElement),
  models,
  gauge: new ContextGauge(elementById("gauge", HTMLElement), elementById("window-warning", HTMLElement), models, (words) => status.say(words)),
  retryMenu: elementById("retry-menu", HTMLElement),
};
const { chat, open, refresh } = page.dataset.temporary === undefined ? memberChat() : temporaryChat();
wireModelMenu(elementById("model-menu", HTMLElement), elementById("open-models", HTMLElement), models, {
  status,
  env,
  storage: deviceStorage,
});
chat.subscribe({ ended: refreshAllowance, sending: () => rememberModel(deviceStorage, models.chosen), accepted: () => chat.id && head.opened(chat.id) });
const showModel = () => head.showModel(models.nameOf(models.chosen));
models.onChange(showModel);
showModel();

function memberChat() {
  return createMemberChat({ ...parts, deviceStorage, toast, sidebar, earlier: elementById("show-earlier", HTMLElement) });
}

function temporaryChat() {
  const persona = new PersonaLabel(elementById("persona", HTMLElement), page.dataset.persona);
  return { ...createTemporaryChat({ ...parts, persona, startOver: document.getElementById("start-over") }), refresh: undefined };
}

configureHtmx(status);
loadHtmxWhenNeeded(() => status.hint(t("Couldn't load this. Check your connection, or reload the page.")));
const usePrompt = wirePromptSuggestions(composer, { status, env, storage: tabStorage });
wireFileInput({ form: composer, composer: chat.composer, status, env, models });
wireImages();
const toggleSidebar = wireSidebarDrawer(aside, page, elementById("fold-sidebar", HTMLElement), deviceStorage);
const shortcuts = new ShortcutDialog(status);
const share = wireShareDialog(/** @type {HTMLDialogElement | null} */ (document.getElementById("sharing")), status);
const togglePalette = wirePalette(elementById("palette", HTMLDialogElement), env, status, () => commands, usePrompt);
const commands = allCommands({
  chat,
  toast,
  status,
  env,
  quote: wireSelectionQuoting(chat.composer),
  toggleSidebar,
  openPalette: togglePalette,
  openShortcuts: () => shortcuts.toggle(),
  share,
});
wireKeyboardShortcuts(commands);
document.getElementById("share")?.addEventListener("click", (event) => {
  event.preventDefault();
  share?.(chat.id);
});
for (const id of ["palette", "connection", "organizer-dialog"]) wireDialog(elementById(id, HTMLDialogElement), status);
wireOrganizer(aside, status);
document.body.addEventListener("conversations", () => elementById("organizer-dialog", HTMLDialogElement).close()); // it is done
wireTooltips(keysOfCommand);
elementById("open-shortcuts", HTMLElement).addEventListener("click", () => {
  elementById("account-menu", HTMLElement).hidePopover();
  if (aside.matches(":popover-open")) aside.hidePopover();
  shortcuts.toggle();
});
elementById("open-palette", HTMLElement).addEventListener("click", () => {
  if (aside.matches(":popover-open")) aside.hidePopover();
  togglePalette();
});
elementById("sign-out", HTMLElement).addEventListener("submit", () => {
  tabStorage.close();
  deviceStorage.close();
});
wireStarters(page, (prompt) => chat.send(prompt));
const found = /^#m\d+$/.test(location.hash) ? document.getElementById(location.hash.slice(1)) : null;
const exchange = /** @type {HTMLElement | null | undefined} */ (found?.closest(".exchange"));
found?.removeAttribute("id"); // otherwise the browser scrolls to it later, too, and moves the focus
open();
if (location.search.includes("shared_")) history.replaceState(null, "", location.pathname); // it is in the draft now
if (exchange) {
  const turn = found?.matches(".question") ? "question" : "answer";
  scrolling().then((module) => module?.scrollToHit({ exchange, turn }));
}
whenIdle(async () => {
  const { answerNotices } = page.dataset;
  const module = answerNotices ? await noticing() : null;
  if (!answerNotices) removeNoticeWorker(); // they were turned off on another device, or somebody else signed in
  wireNotifications(env, sidebar, chat, refresh, module?.wireAnswerNotices(chat, answerNotices === "title"));
});
if (sendTimeZone()) whenIdle(() => sidebar.refresh());
