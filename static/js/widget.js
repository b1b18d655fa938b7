/** The frame that other websites show: puts its parts together. */

import { askWhetherPerson } from "./controllers/widget/challenge.js";
import { Consent } from "./controllers/widget/consent.js";
import { HostPage } from "./controllers/widget/host_page.js";
import { watchReachability } from "./controllers/ui/offline_notice.js";
import { watchForTakeover } from "./controllers/widget/takeover_notice.js";
import { applySiteTheme } from "./controllers/widget/site_theme.js";
import { Status } from "./controllers/ui/status.js";
import { showWarnings } from "./controllers/widget/staff_warnings.js";
import { VisitorChat } from "./controllers/widget/visitor_chat.js";
import { wireConversationHistory } from "./controllers/widget/conversation_history.js";
import { isComposing } from "./lib/composing.js";
import { Shelf } from "./lib/shelf.js";
import { StreamError } from "./stream/errors.js";
import { Visit } from "./stream/visit.js";
import { world as theWorld } from "./stream/world.js";

/** @param {string} id */
const byId = (id) => /** @type {any} */ (document.getElementById(id));

applySiteTheme();
const page = byId("main");
const site = page.dataset.site;
const shelf = new Shelf(`visitor-${page.dataset.key}`);
const status = new Status(byId("announcer"), byId("hint"));
const isAsked = page.dataset.mayChallenge !== undefined;
const visit = new Visit(
  watchReachability(byId("offline"), status, theWorld),
  location.pathname,
  isAsked ? () => askWhetherPerson(byId("composer")) : undefined,
);
/** What a member's page can do and a visitor's cannot: choose a model, see how full its window is. */
const models = { chosen: "", options: [], window: 0, nameOf: () => site, optionsFor: () => ({}), abilitiesOf() {}, choose() {}, onChange() {} };
const gauge = { conversation() {}, draft() {}, window() {} };
const chat = new VisitorChat(
  {
    page,
    shelf,
    status,
    models,
    gauge,
    thread: byId("thread"),
    composer: byId("composer"),
    jump: byId("jump"),
    earlier: byId("show-earlier"),
  },
  visit,
  (type, more) => {
    if (more.code === "consent_needed") consent.show(false); // somebody new since, or another text
    host.tell(type, more);
  },
);
const gated = [byId("composer"), byId("starters")].filter(Boolean);
const consent = new Consent(byId("consent"), gated, {
  agree: () => visit.agree(),
  agreed: () => chat.composer.focus(),
  failed: (error) => chat.hintAt(error),
});

const host = new HostPage({
  shown({ focus }) {
    if (focus) (byId("composer").hidden ? page : chat.composer).focus();
    chat.look();
  },
  hidden() {
    for (const each of document.querySelectorAll(":popover-open")) /** @type {HTMLElement} */ (each).hidePopover();
    byId("report")?.close();
  },
  identity: ({ jwt }) => attempt(async () => {
    consent.show((await visit.identify(jwt)).site.consent.agreed);
    await chat.recheck();
  }),
  async shutdown() {
    await chat.startOver();
    await attempt(() => visit.end());
    consent.show(false);
    host.tell("left");
  },
});

/** As whoever the site knows us to be. */
async function begin() {
  const { known, site } = await visit.session();
  consent.show(site.consent.agreed);
  showWarnings(byId("composer"), site.warnings, (id) => attempt(() => visit.readWarning(id), (error) => chat.hintAt(error)));
  host.tell("ready", { known });
  await chat.resume();
}

/** What does not work the website hears of. @param {() => Promise<void>} work @param {(error: Error) => void} [say] */
async function attempt(work, say = () => {}) {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof StreamError)) throw error;
    host.tell("error", { code: error.code });
    say(error);
  }
}

byId("close").hidden = !host.isThere;
byId("close").addEventListener("click", () => host.tell("close"));
byId("new-chat").addEventListener("click", () => {
  chat.goTo("");
  chat.composer.focus();
});
wireConversationHistory(byId("history"), visit, chat);
watchForTakeover(byId("person"), visit, chat, status, host);
page.addEventListener("click", (/** @type {any} */ { target }) => {
  const starter = target.closest(".starter");
  if (starter) chat.send(starter.dataset.prompt);
});
document.addEventListener("keydown", (event) => {
  const isTaken = event.key !== "Escape" || isComposing(event) || document.querySelector(":popover-open, dialog[open]");
  if (!isTaken) host.tell("close");
});
attempt(begin, (error) => chat.hintAt(error));
