/** Entry point of the chat page. */

import "./htmx_policy.js";
import { browserEnv } from "./browser/browser_env.js";
import { elementById, findElements } from "./browser/dom.js";
import { whenIdle } from "./browser/idle.js";
import { wasReloaded } from "./browser/navigation.js";
import { removeNoticeWorker } from "./browser/notice_worker.js";
import { onDemand } from "./browser/on_demand.js";
import { SafeStorage } from "./browser/safe_storage.js";
import { sendTimeZone } from "./browser/time_zone.js";
import { wireChatSwitch } from "./controllers/chat/chat_switch.js";
import { wireNotifications } from "./controllers/chat/notifications.js";
import { readingPlace } from "./controllers/chat/reading_place.js";
import { wireChat } from "./controllers/chat/shown_chat.js";
import { shortcutCommands } from "./controllers/commands/commands.js";
import { wireKeyboardShortcuts } from "./controllers/commands/keyboard_shortcuts.js";
import { openShortcutList, wirePalette } from "./controllers/commands/palette_opener.js";
import { keysOfCommand } from "./controllers/commands/shortcut_keys.js";
import { wireModelMenu } from "./controllers/composer/model_menu_opener.js";
import { ModelPicker } from "./controllers/composer/model_picker.js";
import { wireSelectionQuoting } from "./controllers/composer/selection_quoting.js";
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
import { loadHtmx, loadHtmxWhenNeeded } from "./htmx_on_demand.js";
import { configureHtmx } from "./htmx_requests.js";

/** @typedef {import("./controllers/chat/reading_place.js").Place} Place */

const noticing = onDemand("answer_notices");

const { dataset } = elementById("main", HTMLElement);
const tabStorage = new SafeStorage(dataset.member ?? "");
const deviceStorage = new SafeStorage(dataset.member ?? "", () => localStorage);
const status = new Status(elementById("announcer", HTMLElement), elementById("hint", HTMLElement));
const env = watchReachability(elementById("offline", HTMLElement), status, browserEnv);
const aside = elementById("sidebar", HTMLElement);
const toast = new Toast(elementById("toast", HTMLElement), status, aside);
const sidebar = new Sidebar(aside, () => shown.head);
const models = new ModelPicker(elementById("model", HTMLSelectElement), elementById("thinking", HTMLSelectElement));
const share = wireShareDialog(/** @type {HTMLDialogElement | null} */ (document.getElementById("sharing")), status);
const shell = { tabStorage, deviceStorage, status, env, toast, sidebar, models, share };
wireModelMenu(elementById("model-menu", HTMLElement), elementById("open-models", HTMLElement), models, { status, env });
configureHtmx(status);
loadHtmxWhenNeeded(() => status.hintNotLoaded());
wireImages();
const quote = wireSelectionQuoting(() => shown.chat.composer);
const toggleSidebar = wireSidebarDrawer(aside, elementById("fold-sidebar", HTMLElement), deviceStorage);
const openShortcuts = () => openShortcutList(status);
const openPalette = wirePalette(elementById("palette", HTMLDialogElement), env, status, paletteParts, (prompt) => shown.usePrompt(prompt));

/** @type {import("./controllers/chat/chat_controller.js").ChatListener[]} listen to every chat on the page */
const listeners = [];
/** The chat on the page, whichever it is. */
const anyChat = {
  get id() {
    return shown.chat.id;
  },
  get answers() {
    return shown.chat.answers;
  },
  subscribe(/** @type {import("./controllers/chat/chat_controller.js").ChatListener} */ listener) {
    listeners.push(listener);
    shown.chat.subscribe(listener);
  },
};
/** Ends the chat on the page. */
let ending = new AbortController();
let shown = wireChat(shell, ending.signal, wasReloaded());
let shortcuts = shortcutsOf(shown);

/** @param {import("./controllers/chat/shown_chat.js").ShownChat} shown */
function shortcutsOf({ chat }) {
  return shortcutCommands({ chat, toast, status, quote, toggleSidebar, openPalette, openShortcuts });
}

function paletteParts() {
  return { chat: shown.chat, status, env, shortcuts, share, loadHtmx };
}

wireKeyboardShortcuts(() => shortcuts);
for (const id of ["palette", "connection", "organizer-dialog"]) wireDialog(elementById(id, HTMLDialogElement), status);
wireOrganizer(aside, status);
document.body.addEventListener("conversations", () => elementById("organizer-dialog", HTMLDialogElement).close()); // it is done
wireTooltips(keysOfCommand);
elementById("open-shortcuts", HTMLElement).addEventListener("click", () => {
  elementById("account-menu", HTMLElement).hidePopover();
  if (aside.matches(":popover-open")) aside.hidePopover();
  openShortcuts();
});
elementById("open-palette", HTMLElement).addEventListener("click", () => {
  if (aside.matches(":popover-open")) aside.hidePopover();
  openPalette();
});
elementById("sign-out", HTMLElement).addEventListener("submit", () => {
  tabStorage.close();
  deviceStorage.close();
});
sidebar.follow();
shown.open(/** @type {Place | null | undefined} */ (window.navigation?.currentEntry?.getState()));
if (location.search.includes("shared_")) history.replaceState(null, "", location.pathname); // it is in the draft now
whenIdle(async () => {
  const { answerNotices } = dataset;
  const module = answerNotices ? await noticing() : null;
  if (!answerNotices) removeNoticeWorker(); // they were turned off on another device, or somebody else signed in
  wireNotifications(env, sidebar, anyChat, (isSuggestion) => shown.refresh?.(isSuggestion), module?.wireAnswerNotices(anyChat, answerNotices === "title"));
});
if (sendTimeZone()) whenIdle(() => sidebar.refresh());
if (dataset.temporary === undefined) wireChatSwitch({ place: () => readingPlace(shown.chat), leave: leaveChat, show: showChat });

/** Another chat is on its way: leave this one as if its page was closed. */
function leaveChat() {
  ending.abort();
  status.clearHint();
  toast.close();
  for (const dialog of findElements(document, "dialog[open]", HTMLDialogElement)) dialog.close();
  for (const popover of findElements(document, ":popover-open", HTMLElement)) popover.hidePopover();
  elementById("main", HTMLElement).inert = true;
  sidebar.follow();
}

/**
 * The elements of another chat are on the page.
 * @param {string} model that it begins with
 * @param {Place | null} [place] where the reader left it
 */
function showChat(model, place) {
  ending = new AbortController();
  models.reset(model);
  shown = wireChat(shell, ending.signal, false);
  shortcuts = shortcutsOf(shown);
  for (const listener of listeners) shown.chat.subscribe(listener);
  shown.open(place);
  const main = elementById("main", HTMLElement);
  if (!main.contains(document.activeElement)) main.focus({ preventScroll: true }); // on touch screens
  status.say(main.querySelector("h1")?.textContent ?? "");
  sidebar.refresh(); // an answer may go on in the chat that was left
}
