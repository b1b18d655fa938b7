/**
 * Show above the message box whether a person is answering a visitor's chat, or has been asked to; their messages arrive
 * by themselves. While no person is expected, it polls only for a while after a message.
 */

import { ApiError } from "../../api/errors.js";
import { Poller } from "../../browser/poller.js";
import { t } from "../../lib/i18n.js";

const WITH_PERSON_MS = 2000;
const EXPECTING_MS = 4000;
const WARM_MS = 5000;
const WARM_FOR_MS = 10 * 60 * 1000;

/**
 * @param {HTMLElement} element
 * @param {import("../../api/widget_session.js").WidgetSession} visit
 * @param {ReturnType<typeof import("./visitor_chat.js").createVisitorChat>} visitorChat
 * @param {import("./host_page.js").HostPage} host
 * @param {() => void} check looks for new messages of persons
 */
export function watchForTakeover(element, visit, { chat, store, conversations }, host, check) {
  const button = document.getElementById("request-person"); // if the site offers it
  let isThere = false;
  let isExpected = false;
  /** @type {boolean | undefined} whether the website was told that news are expected */
  let told;
  let last = "";
  let movedAt = Date.now();

  async function poll() {
    const { id } = chat;
    const found = await state(id);
    if (!found || chat.id !== id) return;
    isThere = found.person;
    isExpected = found.requested;
    if (told !== (isThere || isExpected)) host.tell("expects", { isExpecting: (told = isThere || isExpected) });
    if (button) button.hidden = !id || isThere || isExpected;
    const words = isExpected && !isThere ? element.dataset.reply || t("A person has been asked to answer here.") : inWords(found);
    if (element.textContent !== words) element.textContent = words;
    const place = `${id} ${found.last}`;
    if (last !== place) movedAt = Date.now();
    last = place;
    if (found.last !== store.conversation.lastId && !chat.answers.isRunning) await conversations.refresh();
    check();
  }

  /** @param {string} id */
  async function state(id) {
    if (!id) return { person: false, requested: false, ended: "", last: 0 };
    try {
      return await visit.person(id);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return null; // the next poll is soon
    }
  }

  const poller = new Poller(poll, () => {
    if (isThere) return WITH_PERSON_MS;
    if (isExpected) return EXPECTING_MS;
    return Date.now() - movedAt < WARM_FOR_MS ? WARM_MS : 0;
  });
  button?.addEventListener("click", async () => {
    try {
      await visit.requestPerson(chat.id);
      host.tell("person_requested");
      lookSoon();
    } catch (error) {
      chat.status.hintError(/** @type {Error} */ (error));
    }
  });
  chat.subscribe({ ended: lookSoon, replaced: lookSoon });

  function lookSoon() {
    movedAt = Date.now();
    poller.poll();
  }
}

/** @param {{person: boolean, ended: string}} found */
function inWords({ person, ended }) {
  if (person) return t("You're now chatting with a person.");
  if (ended === "left") return t("The person has left. The AI is answering again.");
  return ended ? t("The person handed the chat back to the AI.") : "";
}
