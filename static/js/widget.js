/** The frame that other websites show: puts its parts together. */

import { Consent } from "./elements/consent.js";
import { Host } from "./elements/host.js";
import { watchReachability } from "./elements/offline_notice.js";
import { showLook } from "./elements/site_look.js";
import { Status } from "./elements/status.js";
import { VisitorChat } from "./elements/visitor_chat.js";
import { wireHistory } from "./elements/visitor_history.js";
import { isComposing } from "./lib/composing.js";
import { Shelf } from "./lib/shelf.js";
import { StreamError } from "./stream/errors.js";
import { Visit } from "./stream/visit.js";
import { world as theWorld } from "./stream/world.js";

/** @param {string} id */
const byId = (id) => /** @type {any} */ (document.getElementById(id));

showLook();
const page = byId("main");
const site = page.dataset.site;
const shelf = new Shelf(`visitor-${page.dataset.key}`);
const status = new Status(byId("announcer"), byId("hint"));
const visit = new Visit(watchReachability(byId("offline"), status, theWorld), location.pathname);
/** What a member's page can do and a visitor's cannot: choose a model, see how full its window is. */
const models = { chosen: "", options: [], window: 0, nameOf: () => site, choose() {}, onChange() {} };
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
  (type, more) => host.tell(type, more),
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
  },
  identity: ({ jwt }) => become(() => visit.identify(jwt)),
  async shutdown() {
    await become(() => visit.end());
    host.tell("left");
  },
});

/** Begins as whoever the site knows us to be. */
async function begin() {
  try {
    const { known, site } = await visit.session();
    consent.show(site.consent.agreed);
    host.tell("ready", { known });
    await chat.resume();
  } catch (error) {
    failed(error);
  }
}

/** Goes on as somebody else, with nothing on the page of who was here. @param {() => Promise<void>} change */
async function become(change) {
  try {
    await change();
    shelf.clear();
    await chat.startOver();
    await begin();
  } catch (error) {
    failed(error);
  }
}

/** @param {unknown} error */
function failed(error) {
  if (!(error instanceof StreamError)) throw error;
  status.hint(error.message);
  host.tell("error", { code: error.code });
}

byId("close").hidden = !host.isThere;
byId("close").addEventListener("click", () => host.tell("close"));
byId("new-chat").addEventListener("click", () => {
  chat.goTo("");
  chat.composer.focus();
});
wireHistory(byId("history"), visit, chat);
page.addEventListener("click", (/** @type {any} */ { target }) => {
  const starter = target.closest(".starter");
  if (starter) chat.send(starter.dataset.prompt);
});
document.addEventListener("keydown", (event) => {
  const isTaken = event.key !== "Escape" || isComposing(event) || document.querySelector(":popover-open");
  if (!isTaken) host.tell("close");
});
begin();
