/** The chat page: puts its parts together. */

import "./htmx_policy.js";
import { refreshAllowance } from "./elements/allowance.js";
import { commandsOf } from "./elements/commands.js";
import { wireDialog } from "./elements/dialog.js";
import { wireDrawer } from "./elements/drawer.js";
import { wireFiles } from "./elements/files.js";
import { wireHints } from "./elements/hints.js";
import { wireShortcuts } from "./elements/keyboard.js";
import { ModelPicker, wireModels } from "./elements/model_picker.js";
import { watchReachability } from "./elements/offline_notice.js";
import { Palette } from "./elements/palette.js";
import { wireQuotes } from "./elements/selection.js";
import { Persona } from "./elements/persona.js";
import { wirePrompts } from "./elements/prompts_on_demand.js";
import { ShortcutList } from "./elements/shortcut_list.js";
import { wireSharing } from "./elements/sharing.js";
import { Sidebar } from "./elements/sidebar.js";
import { Status } from "./elements/status.js";
import { StoredChat } from "./elements/stored_chat.js";
import { TemporaryChat } from "./elements/temporary_chat.js";
import { Toast } from "./elements/toast.js";
import { WindowGauge } from "./elements/window_gauge.js";
import { wireHtmxOnDemand } from "./htmx_on_demand.js";
import { wireHtmx } from "./htmx_requests.js";
import { whenIdle } from "./lib/idle.js";
import { onDemand } from "./lib/on_demand.js";
import { Shelf } from "./lib/shelf.js";
import { tellTimeZone } from "./lib/time_zone.js";
import { t } from "./lib/words.js";
import { world as theWorld } from "./stream/world.js";

/** @param {string} id */
const byId = (id) => /** @type {any} */ (document.getElementById(id));

const page = byId("main");
const shelf = new Shelf(page.dataset.member);
const device = new Shelf(page.dataset.member, () => localStorage);
const status = new Status(byId("announcer"), byId("hint"));
const toast = new Toast(byId("toast"), status);
const world = watchReachability(byId("offline"), status, theWorld);
const sidebar = new Sidebar(byId("sidebar"), page);
const models = new ModelPicker(byId("model"), byId("thinking"));
const Kind = page.dataset.temporary === undefined ? StoredChat : TemporaryChat;
const chat = new Kind({
  page,
  shelf,
  device,
  status,
  toast,
  world,
  sidebar,
  thread: byId("thread"),
  composer: byId("composer"),
  jump: byId("jump"),
  earlier: byId("show-earlier"),
  models,
  gauge: new WindowGauge(byId("gauge"), byId("window-warning"), (words) => status.say(words)),
  startOver: byId("start-over"),
  turnMenu: byId("turn-menu"),
  persona: new Persona(byId("persona"), page.dataset.persona),
});
chat.onEnd = refreshAllowance;

wireHtmx(status);
wireHtmxOnDemand(() => status.hint(t("This could not be loaded. Check the connection, or reload the page.")));
wirePrompts(byId("composer"), status, world);
wireFiles(byId("composer"), chat.composer, status, page.dataset.site);
const toggleSidebar = wireDrawer(byId("sidebar"), page, byId("fold-sidebar"), device);
const shortcuts = new ShortcutList(byId("shortcuts"));
const share = wireSharing(byId("sharing"), status);
const palette = new Palette(byId("palette"), world, () => commands);
const commands = commandsOf({
  chat,
  toast,
  status,
  world,
  quote: wireQuotes(chat.composer),
  toggleSidebar,
  openPalette: () => palette.toggle(),
  openShortcuts: () => shortcuts.toggle(),
  share,
});
wireShortcuts(commands);
wireModels(byId("models"), models, { status, world });
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
  shelf.close();
  device.close();
});
page.addEventListener("click", (/** @type {any} */ { target }) => {
  const starter = target.closest(".starter");
  if (starter) chat.send(starter.dataset.prompt);
});
const found = /^#m\d+$/.test(location.hash) ? byId(location.hash.slice(1)) : null;
const place = found && { exchange: found.closest(".exchange"), turn: found.matches(".question") ? "question" : "answer" };
found?.removeAttribute("id"); // else the browser goes there too, later, and takes the focus away
chat.open();
if (place) onDemand("found_turn")().then((module) => module?.showFound(place));
whenIdle(() => wireHints(world, chat, sidebar));
if (tellTimeZone()) whenIdle(() => sidebar.refresh());
