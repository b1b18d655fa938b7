/** The chat page: puts its parts together. */

import "./htmx_policy.js";
import { refreshAllowance } from "./controllers/composer/allowance.js";
import { commandsOf } from "./controllers/commands/commands.js";
import { wireDialog } from "./controllers/ui/dialog.js";
import { wireSidebarDrawer } from "./controllers/sidebar/sidebar_drawer.js";
import { wireFileInput } from "./controllers/composer/file_input.js";
import { wireNotifications } from "./controllers/chat/notifications.js";
import { wireKeyboardShortcuts } from "./controllers/commands/keyboard_shortcuts.js";
import { ModelPicker, wireModels } from "./controllers/composer/model_picker.js";
import { watchReachability } from "./controllers/ui/offline_notice.js";
import { CommandPalette } from "./controllers/commands/command_palette.js";
import { wireSelectionQuoting } from "./controllers/composer/selection_quoting.js";
import { PersonaLabel } from "./controllers/composer/persona_label.js";
import { wirePromptSuggestions } from "./controllers/composer/prompt_suggestions.js";
import { ShortcutDialog } from "./controllers/commands/shortcut_dialog.js";
import { wireShareDialog } from "./controllers/sharing/share_dialog.js";
import { Sidebar } from "./controllers/sidebar/sidebar.js";
import { Status } from "./controllers/ui/status.js";
import { createMemberChat } from "./controllers/chat/member_chat.js";
import { createTemporaryChat } from "./controllers/chat/temporary_chat.js";
import { Toast } from "./controllers/ui/toast.js";
import { ContextGauge } from "./controllers/composer/context_gauge.js";
import { wireHtmxOnDemand } from "./htmx_on_demand.js";
import { wireHtmx } from "./htmx_requests.js";
import { whenIdle } from "./browser/idle.js";
import { onDemand } from "./browser/on_demand.js";
import { SafeStorage } from "./browser/safe_storage.js";
import { sendTimeZone } from "./browser/time_zone.js";
import { t } from "./lib/i18n.js";
import { browserEnv } from "./browser/browser_env.js";

/** @param {string} id */
const byId = (id) => /** @type {any} */ (document.getElementById(id));

const page = byId("main");
const tabStorage = new SafeStorage(page.dataset.member);
const deviceStorage = new SafeStorage(page.dataset.member, () => localStorage);
const status = new Status(byId("announcer"), byId("hint"));
const toast = new Toast(byId("toast"), status);
const env = watchReachability(byId("offline"), status, browserEnv);
const sidebar = new Sidebar(byId("sidebar"), page);
const models = new ModelPicker(byId("model"), byId("thinking"));
const parts = {
  page,
  tabStorage,
  status,
  env,
  thread: byId("thread"),
  composer: byId("composer"),
  jump: byId("jump"),
  models,
  gauge: new ContextGauge(byId("gauge"), byId("window-warning"), models, (words) => status.say(words)),
  turnMenu: byId("turn-menu"),
};
const { chat, open, look } = page.dataset.temporary === undefined ? memberChat() : temporaryChat();
chat.subscribe({ ended: refreshAllowance });

function memberChat() {
  return createMemberChat({ ...parts, deviceStorage, toast, sidebar, earlier: byId("show-earlier") });
}

function temporaryChat() {
  const persona = new PersonaLabel(byId("persona"), page.dataset.persona);
  return { ...createTemporaryChat({ ...parts, persona, startOver: byId("start-over") }), look: undefined };
}

wireHtmx(status);
wireHtmxOnDemand(() => status.hint(t("This could not be loaded. Check the connection, or reload the page.")));
wirePromptSuggestions(byId("composer"), status, env);
wireFileInput(byId("composer"), chat.composer, status, page.dataset.site);
const toggleSidebar = wireSidebarDrawer(byId("sidebar"), page, byId("fold-sidebar"), deviceStorage);
const shortcuts = new ShortcutDialog(byId("shortcuts"));
const share = wireShareDialog(byId("sharing"), status);
const palette = new CommandPalette(byId("palette"), env, () => commands);
const commands = commandsOf({
  chat,
  toast,
  status,
  env,
  quote: wireSelectionQuoting(chat.composer),
  toggleSidebar,
  openPalette: () => palette.toggle(),
  openShortcuts: () => shortcuts.toggle(),
  share,
});
wireKeyboardShortcuts(commands);
wireModels(byId("models"), byId("open-models"), models, { status, env });
for (const id of ["palette", "shortcuts", "models"]) wireDialog(byId(id), status);
byId("open-shortcuts").addEventListener("click", () => {
  byId("account-menu").hidePopover();
  shortcuts.toggle();
});
byId("open-palette").addEventListener("click", () => {
  if (byId("sidebar").matches(":popover-open")) byId("sidebar").hidePopover();
  palette.toggle();
});
wireDialog(byId("connection"), status);
byId("sign-out").addEventListener("submit", () => {
  tabStorage.close();
  deviceStorage.close();
});
page.addEventListener("click", (/** @type {any} */ { target }) => {
  const starter = target.closest(".starter");
  if (starter) chat.send(starter.dataset.prompt);
});
const found = /^#m\d+$/.test(location.hash) ? byId(location.hash.slice(1)) : null;
const place = found && { exchange: found.closest(".exchange"), turn: found.matches(".question") ? "question" : "answer" };
found?.removeAttribute("id"); // else the browser goes there too, later, and takes the focus away
open();
if (place) onDemand("scroll_to_hit")().then((module) => module?.scrollToHit(place));
whenIdle(() => wireNotifications(env, sidebar, chat, look));
if (sendTimeZone()) whenIdle(() => sidebar.refresh());
