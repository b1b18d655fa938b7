/**
 * Show above the message box whether a person is answering a visitor's chat, or has been asked to; their messages arrive
 * by themselves. While no person is expected, it polls only for a while after a message.
 */

import { ApiError } from "../../api/errors.js";
import { Poller } from "../../browser/poller.js";
import { TypingSignal } from "../../browser/typing_signal.js";
import { locale, t } from "../../lib/i18n.js";
import { asksForPerson } from "../../lib/phrases.js";

const WITH_PERSON_MS = 2000;
const EXPECTING_MS = 4000;
const WARM_MS = 5000;
const WARM_FOR_MS = 10 * 60 * 1000;
const SUGGESTING_MS = 1500; // until the suggested questions are there, or it takes too long
const SUGGESTING_FOR_MS = 12_000;

/** @typedef {import("../../api/widget_session.js").PersonStatus} PersonStatus */
/** @type {PersonStatus} */
const NOBODY = { person: false, name: "", is_typing: false, requested: false, ended: "", last: 0, follow_ups: [], to_rate: 0, is_open: true, opens_at: null, email: "" };

/**
 * @param {HTMLElement} element
 * @param {import("../../api/widget_session.js").WidgetSession} visit
 * @param {ReturnType<typeof import("./visitor_chat.js").createVisitorChat>} visitorChat
 * @param {import("./host_page.js").HostPage} host
 * @param {(found: PersonStatus) => void} changed gets each status
 */
export function watchForTakeover(element, visit, { chat, store, conversations }, host, changed) {
  const typing = /** @type {HTMLElement} */ (document.getElementById("typing"));
  const signal = new TypingSignal(/** @type {HTMLTextAreaElement} */ (document.getElementById("message")), () => current.person && poller.poll());
  const button = document.getElementById("request-person"); // if the site offers it
  const isSuggesting = chat.transcript.element.closest("[data-suggests]") !== null;
  let current = NOBODY;
  let isOffered = false;
  let last = "";
  let movedAt = Date.now();
  let suggestsUntil = 0;

  async function poll() {
    const { id } = chat;
    const found = await state(id);
    if (!found || chat.id !== id) return;
    current = found;
    show();
    const place = `${id} ${found.last}`;
    if (last !== place) movedAt = Date.now();
    last = place;
    if (found.last !== store.conversation.lastId && !chat.answers.isRunning) await conversations.refresh();
    changed(found);
  }

  function show() {
    const { person, requested } = current;
    if (person || requested) isOffered = false;
    const hasFocus = button === document.activeElement;
    if (button) button.hidden = !chat.id || person || requested;
    if (hasFocus && button?.hidden) chat.composer.focus();
    button?.classList.toggle("main", isOffered);
    button?.classList.toggle("plain", !isOffered);
    const words = isOffered ? t("Would you like to talk to a person?") : inWords(current, element.dataset);
    if (element.textContent !== words) element.textContent = words;
    typing.hidden = !current.is_typing;
    typing.textContent = current.name ? t("{name} is typing…", { name: current.name }) : t("A person is typing…");
  }

  /** @param {string} id */
  async function state(id) {
    if (!id) return NOBODY;
    try {
      return await visit.person(id, current.person ? signal.next() : "");
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return null; // the next poll is soon
    }
  }

  const poller = new Poller(poll, () => {
    if (current.person) return WITH_PERSON_MS;
    if (Date.now() < suggestsUntil && !current.follow_ups.length) return SUGGESTING_MS;
    if (current.requested) return EXPECTING_MS;
    return Date.now() - movedAt < WARM_FOR_MS ? WARM_MS : 0;
  });
  button?.addEventListener("click", async () => {
    try {
      await visit.requestPerson(chat.id);
      isOffered = false;
      host.tell("person_requested");
      lookSoon();
    } catch (error) {
      chat.status.hintError(/** @type {Error} */ (error));
    }
  });
  const phrases = JSON.parse(button?.dataset.phrases ?? "[]");
  chat.subscribe({
    accepted() {
      isOffered = asksForPerson(store.conversation.last?.question ?? "", phrases);
      if (isOffered) lookSoon();
    },
    ended({ answer }) {
      isOffered ||= answer.isUnanswered;
      if (isSuggesting && answer.state === "complete") suggestsUntil = Date.now() + SUGGESTING_FOR_MS;
      lookSoon();
    },
    replaced() {
      isOffered = false;
      lookSoon();
    },
  });

  function lookSoon() {
    movedAt = Date.now();
    poller.poll();
  }
}

/** @param {PersonStatus} found @param {DOMStringMap} replies the site's own */
function inWords({ person, name, requested, ended, is_open, opens_at }, replies) {
  if (person) return name ? t("You're now chatting with {name}.", { name }) : t("You're now chatting with a person.");
  if (requested && is_open) return replies.reply || t("A person has been asked to reply here.");
  if (requested) return [replies.awayReply || t("No one is available right now."), opening(opens_at)].join(" ").trim();
  if (ended === "left") return t("The person has left. The AI is answering again.");
  return ended ? t("The person handed the chat back to the AI.") : "";
}

/** @param {string | null} opensAt */
function opening(opensAt) {
  if (!opensAt) return "";
  const moment = new Intl.DateTimeFormat(locale, { weekday: "long", hour: "numeric", minute: "2-digit" });
  return t("We're back on {moment}.", { moment: moment.format(new Date(opensAt)) });
}
