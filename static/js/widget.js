/** Entry point of the frame that other websites embed. */

import { ApiError } from "./api/errors.js";
import { WidgetSession } from "./api/widget_session.js";
import { browserEnv } from "./browser/browser_env.js";
import { elementById, findElement } from "./browser/dom.js";
import { isComposing } from "./browser/ime.js";
import { onDemand } from "./browser/on_demand.js";
import { SafeStorage } from "./browser/safe_storage.js";
import { isStorageDenied, SealedStorage } from "./browser/sealed_storage.js";
import { wireStarters } from "./controllers/composer/starters.js";
import { watchReachability } from "./controllers/ui/offline_notice.js";
import { Status } from "./controllers/ui/status.js";
import { wireTooltips } from "./controllers/ui/tooltip.js";
import { wireCards } from "./controllers/widget/answer_cards_opener.js";
import { solveChallenge } from "./controllers/widget/challenge.js";
import { Consent } from "./controllers/widget/consent.js";
import { wireConversationHistory } from "./controllers/widget/conversation_history.js";
import { FixedModel } from "./controllers/widget/fixed_model.js";
import { Gate } from "./controllers/widget/gate.js";
import { Greeting } from "./controllers/widget/greeting.js";
import { HelpRating } from "./controllers/widget/help_rating.js";
import { HostPage } from "./controllers/widget/host_page.js";
import { MessageSound } from "./controllers/widget/message_sound.js";
import { readPageContext, withAddress, withGreeting } from "./controllers/widget/page_context.js";
import { applySiteTheme } from "./controllers/widget/site_theme.js";
import { showSuggestedQuestions } from "./controllers/widget/suggested_questions.js";
import { showWarnings } from "./controllers/widget/staff_warnings.js";
import { watchForTakeover } from "./controllers/widget/takeover_notice.js";
import { UnreadMessages } from "./controllers/widget/unread_messages.js";
import { createVisitorChat } from "./controllers/widget/visitor_chat.js";
import { offerAddress, VisitorEmail, wireTranscript } from "./controllers/widget/visitor_email.js";
import { VisitorForm } from "./controllers/widget/visitor_form.js";
import { wireVisitorImages } from "./controllers/widget/visitor_images.js";

const visitorFiles = onDemand("visitor_files");
const { isInline } = applySiteTheme();
wireTooltips();
const page = elementById("main", HTMLElement);
const composer = elementById("composer", HTMLFormElement);
const closeButton = elementById("close", HTMLElement);
/** What the website keeps for the frame, if the browser lets the frame store nothing itself. */
const sealed = isStorageDenied() ? new SealedStorage({
  kept: () => host.kept,
  keep: (value) => host.tell("keep", { value }),
  key: () => visit.draftKey,
}) : null;
const tabStorage = new SafeStorage(`visitor-${page.dataset.key}`, () => sealed ?? sessionStorage);
const status = new Status(elementById("announcer", HTMLElement), elementById("hint", HTMLElement));
/** @type {import("./controllers/widget/page_context.js").PageContext | null} */
let context = null;
let pageAddress = ""; // of the website's page around the chat
const greeting = new Greeting(findElement(page, ".welcome", HTMLElement), document.getElementById("proactive-texts"));
const sound = new MessageSound(document.getElementById("sound"), sealed ?? localStorage);
const isAsked = page.dataset.mayChallenge !== undefined;
const visit = new WidgetSession(
  watchReachability(elementById("offline", HTMLElement), status, browserEnv),
  location.pathname,
  isAsked ? () => solveChallenge(composer) : undefined,
);
const visitorChat = createVisitorChat(
  {
    page,
    tabStorage,
    status,
    env: visit.env,
    models: new FixedModel(page.dataset.site ?? ""),
    thread: elementById("thread", HTMLElement),
    composer,
    jump: elementById("jump", HTMLElement),
    earlier: elementById("show-earlier", HTMLElement),
  },
  visit,
  (/** @type {string} */ type, /** @type {{code?: string}} */ more) => {
    // The visitor, or what the site asks, has changed meanwhile.
    if (more.code === "consent_required") consent.show(false);
    if (more.code === "details_required") visitorForm.show(true);
    host.tell(type, more);
  },
  () => withAddress(withGreeting(context, greeting.text), pageAddress),
);
const { chat, store, conversations } = visitorChat;
const gate = new Gate([composer, document.getElementById("starters")].filter((each) => each !== null));
const consent = new Consent(document.getElementById("consent"), gate, {
  agree: () => visit.agree(),
  agreed() {
    takeFocus();
    attempt(async () => watchPage((await visit.session()).site));
  },
  changed: (isAgreed) => host.tell("agreed", { isAgreed }),
  failed: (error) => status.hintError(error),
});

const details = /** @type {HTMLFormElement | null} */ (document.getElementById("visitor-form"));
const visitorForm = new VisitorForm(details, gate, tabStorage, {
  async give(entered) {
    await visit.giveDetails(entered);
    offerAddress(entered.email);
  },
  done: () => chat.composer.focus(),
});

const host = new HostPage({
  shown({ focus, address }) {
    pageAddress = address;
    unread.show(true);
    sound.show(true);
    if (focus || document.hasFocus()) takeFocus();
    conversations.refresh();
    if (sealed) attempt(() => visit.session().then(() => sealed.seal())); // after a shutdown there is none
  },
  focus: takeFocus,
  hidden() {
    unread.show(false);
    sound.show(false);
    for (const each of document.querySelectorAll(":popover-open")) /** @type {HTMLElement} */ (each).hidePopover();
    for (const each of document.querySelectorAll("dialog[open]")) /** @type {HTMLDialogElement} */ (each).close();
  },
  identity: ({ jwt }) => attempt(async () => {
    showEntry((await visit.identify(jwt)).site);
    sealed?.seal(); // with the key of the user
    await conversations.recheck();
    host.tell("identified");
  }),
  async shutdown() {
    sealed?.forget();
    await conversations.startOver();
    await attempt(() => visit.end());
    sealed?.forget(); // also what was written meanwhile
    consent.show(false);
    visitorForm.show(true);
    host.tell("left");
  },
  async send({ value }) {
    await begun;
    if (composer.hidden || chat.answers.isRunning) prefill(value);
    else if (value.trim()) chat.send(value);
  },
  async prefill({ value }) {
    await begun;
    prefill(value);
  },
  greet: ({ value }) => greet(value),
  page({ address, value }) {
    visit.reportPage(address, value).catch(() => {}); // the server finds out by itself, later
  },
  context({ value }) {
    try {
      context = readPageContext(value);
    } catch {
      host.tell("error", { code: "invalid_context" });
    }
  },
});

function takeFocus() {
  const field = details && details.checkVisibility() ? details.querySelector("input, select") : null;
  const target = /** @type {HTMLElement | null} */ (field) ?? (composer.hidden ? page : chat.composer);
  target.focus();
}

/** Show what the visitor is to do before writing. @param {import("./api/widget_session.js").Session["site"]} site */
function showEntry({ consent: { agreed }, asks_details: asksDetails, given_email: givenEmail }) {
  consent.show(agreed);
  offerAddress(givenEmail);
  visitorForm.show(asksDetails);
}

/** Begin a chat with a message of the site's owner. @param {string} id */
async function greet(id) {
  await begun;
  if (!greeting.has(id) || chat.answers.isRunning) return;
  if (store.id) await attempt(() => conversations.goTo(""));
  greeting.show(id);
}

/** Write for the visitor, who has written nothing yet. @param {string} text */
function prefill(text) {
  if (!chat.composer.text.trim()) chat.composer.text = text;
}

/** Start or resume the visitor's session, once the chat is wanted. */
async function begin() {
  await host.wanted;
  const { known, site } = await visit.session();
  showEntry(site);
  if (site.consent.agreed || !site.consent.text) watchPage(site);
  showWarnings(composer, site.warnings, (id) => attempt(() => visit.readWarning(id), (error) => status.hintError(error)));
  await sealed?.open();
  sound.refresh();
  host.tell("ready", { known });
  unread.resume(await conversations.resume());
}

/** Have the website say which page it shows, if its owner has let the server read it. @param {{watches_pages: boolean}} site */
function watchPage({ watches_pages }) {
  if (watches_pages) host.tell("watch");
}

/**
 * Let the visitor attach files, which the site's owner allows.
 * @param {HTMLButtonElement} button disabled until then; tries again if the module couldn't be loaded
 * @returns {Promise<boolean>} whether it could
 */
async function wireFiles(button) {
  const module = await visitorFiles();
  button.disabled = false;
  module?.wireVisitorFiles({ form: composer, composer: chat.composer, status, env: visit.env }, page.dataset.site ?? "");
  const again = async () => (await wireFiles(button)) ? button.click() : status.hintNotLoaded();
  if (!module) button.addEventListener("click", again, { once: true });
  return module !== null;
}

/**
 * Run `work`, and report errors to the website.
 * @param {() => Promise<void>} work
 * @param {(error: Error) => void} [say]
 */
async function attempt(work, say = () => {}) {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    host.tell("error", { code: error.code });
    say(error);
  }
}

closeButton.hidden = !host.isThere || isInline;
closeButton.addEventListener("click", () => host.tell("close"));
elementById("new-chat", HTMLElement).addEventListener("click", () => {
  conversations.goTo("");
  chat.composer.focus();
});
wireConversationHistory(elementById("history", HTMLElement), visit, chat, conversations);
const unread = new UnreadMessages(elementById("preview", HTMLElement), visitorChat, host, tabStorage, sound, (id) =>
  attempt(() => visit.markSeen(id)),
);
const helpRating = new HelpRating(elementById("help-rating", HTMLFormElement), visit, chat);
const emailForm = /** @type {HTMLFormElement | null} */ (document.getElementById("visitor-email")); // if the site asks
const visitorEmail = emailForm && new VisitorEmail(emailForm, visit, chat);
watchForTakeover(elementById("person", HTMLElement), visit, visitorChat, host, (found) => {
  unread.check(found.person || found.requested);
  showSuggestedQuestions(visitorChat, found);
  helpRating.show(found);
  visitorEmail?.show(found);
});
const transcript = /** @type {HTMLDialogElement | null} */ (document.getElementById("transcript"));
if (transcript) wireTranscript(elementById("mail-transcript", HTMLElement), transcript, visit, chat);
chat.subscribe({ replaced: () => greeting.show(), ended: ({ answer }) => answer.text && sound.announce() });
wireCards(elementById("thread", HTMLElement), page.dataset.cards);
wireVisitorImages(visit.env.fetch);
const attachButton = /** @type {HTMLButtonElement | null} */ (document.getElementById("attach"));
if (attachButton) wireFiles(attachButton);
wireStarters(page, (prompt) => chat.send(prompt));
document.addEventListener("keydown", (event) => {
  const isTaken = event.key !== "Escape" || isComposing(event) || document.querySelector(":popover-open:not(.tooltip), dialog[open]");
  if (!isTaken) host.tell("close");
});
const begun = attempt(begin, (error) => status.hintError(error));
