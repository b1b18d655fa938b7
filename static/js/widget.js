/** The frame that other websites show: puts its parts together. */

import { askWhetherPerson } from "./elements/challenge.js";
import { Consent } from "./elements/consent.js";
import { Host } from "./elements/host.js";
import { watchReachability } from "./elements/offline_notice.js";
import { watchForPerson } from "./elements/person_notice.js";
import { showLook } from "./elements/site_look.js";
import { Status } from "./elements/status.js";
import { showWarnings } from "./elements/warnings.js";
import { VisitorChat } from "./elements/visitor_chat.js";
import { wireHistory } from "./elements/visitor_history.js";
import { isComposing } from "./browser/ime.js";
import { SafeStorage } from "./browser/safe_storage.js";
import { ApiError } from "./api/errors.js";
import { WidgetSession } from "./api/widget_session.js";
import { browserEnv } from "./browser/browser_env.js";

/** @param {string} id */
const byId = (id) => /** @type {any} */ (document.getElementById(id));

showLook();
const page = byId("main");
const site = page.dataset.site;
const shelf = new SafeStorage(`visitor-${page.dataset.key}`);
const status = new Status(byId("announcer"), byId("hint"));
const isAsked = page.dataset.mayChallenge !== undefined;
const visit = new WidgetSession(
  watchReachability(byId("offline"), status, browserEnv),
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
  (/** @type {string} */ type, /** @type {{code?: string}} */ more) => {
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

const host = new Host({
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
    if (!(error instanceof ApiError)) throw error;
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
wireHistory(byId("history"), visit, chat);
watchForPerson(byId("person"), visit, chat, status, host);
page.addEventListener("click", (/** @type {any} */ { target }) => {
  const starter = target.closest(".starter");
  if (starter) chat.send(starter.dataset.prompt);
});
document.addEventListener("keydown", (event) => {
  const isTaken = event.key !== "Escape" || isComposing(event) || document.querySelector(":popover-open, dialog[open]");
  if (!isTaken) host.tell("close");
});
attempt(begin, (error) => chat.hintAt(error));
