/** The frame that other websites show: puts its parts together. */

import { askWhetherPerson } from "./controllers/widget/challenge.js";
import { Consent } from "./controllers/widget/consent.js";
import { HostPage } from "./controllers/widget/host_page.js";
import { watchReachability } from "./controllers/ui/offline_notice.js";
import { watchForTakeover } from "./controllers/widget/takeover_notice.js";
import { FixedModel } from "./controllers/widget/fixed_model.js";
import { applySiteTheme } from "./controllers/widget/site_theme.js";
import { Status } from "./controllers/ui/status.js";
import { showWarnings } from "./controllers/widget/staff_warnings.js";
import { createVisitorChat } from "./controllers/widget/visitor_chat.js";
import { wireConversationHistory } from "./controllers/widget/conversation_history.js";
import { isComposing } from "./browser/ime.js";
import { SafeStorage } from "./browser/safe_storage.js";
import { ApiError } from "./api/errors.js";
import { WidgetSession } from "./api/widget_session.js";
import { browserEnv } from "./browser/browser_env.js";

/** @param {string} id */
const byId = (id) => /** @type {any} */ (document.getElementById(id));

applySiteTheme();
const page = byId("main");
const site = page.dataset.site;
const tabStorage = new SafeStorage(`visitor-${page.dataset.key}`);
const status = new Status(byId("announcer"), byId("hint"));
const isAsked = page.dataset.mayChallenge !== undefined;
const visit = new WidgetSession(
  watchReachability(byId("offline"), status, browserEnv),
  location.pathname,
  isAsked ? () => askWhetherPerson(byId("composer")) : undefined,
);
const visitorChat = createVisitorChat(
  {
    page,
    tabStorage,
    status,
    env: visit.env,
    models: new FixedModel(site),
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
const { chat, conversations } = visitorChat;
const gated = [byId("composer"), byId("starters")].filter(Boolean);
const consent = new Consent(byId("consent"), gated, {
  agree: () => visit.agree(),
  agreed: () => chat.composer.focus(),
  failed: (error) => status.hintError(error),
});

const host = new HostPage({
  shown({ focus }) {
    if (focus) (byId("composer").hidden ? page : chat.composer).focus();
    conversations.look();
  },
  hidden() {
    for (const each of document.querySelectorAll(":popover-open")) /** @type {HTMLElement} */ (each).hidePopover();
    byId("report")?.close();
  },
  identity: ({ jwt }) => attempt(async () => {
    consent.show((await visit.identify(jwt)).site.consent.agreed);
    await conversations.recheck();
  }),
  async shutdown() {
    await conversations.startOver();
    await attempt(() => visit.end());
    consent.show(false);
    host.tell("left");
  },
});

/** As whoever the site knows us to be. */
async function begin() {
  const { known, site } = await visit.session();
  consent.show(site.consent.agreed);
  showWarnings(byId("composer"), site.warnings, (id) => attempt(() => visit.readWarning(id), (error) => status.hintError(error)));
  host.tell("ready", { known });
  await conversations.resume();
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
  conversations.goTo("");
  chat.composer.focus();
});
wireConversationHistory(byId("history"), visit, chat, conversations);
watchForTakeover(byId("person"), visit, visitorChat, host);
page.addEventListener("click", (/** @type {any} */ { target }) => {
  const starter = target.closest(".starter");
  if (starter) chat.send(starter.dataset.prompt);
});
document.addEventListener("keydown", (event) => {
  const isTaken = event.key !== "Escape" || isComposing(event) || document.querySelector(":popover-open, dialog[open]");
  if (!isTaken) host.tell("close");
});
attempt(begin, (error) => status.hintError(error));
