/**
 * Show above the message box whether staff are answering a visitor's chat; their messages arrive by themselves. While
 * no staff member has taken over, it polls only for a while after a message.
 */

import { ApiError } from "../../api/errors.js";
import { Poller } from "../../browser/poller.js";
import { t } from "../../lib/i18n.js";
import { speakableText } from "../../lib/speakable_text.js";

const WITH_PERSON_MS = 2000;
const WARM_MS = 5000;
const WARM_FOR_MS = 10 * 60 * 1000;

/**
 * @param {HTMLElement} element
 * @param {import("../../api/widget_session.js").WidgetSession} visit
 * @param {ReturnType<typeof import("./visitor_chat.js").createVisitorChat>} visitorChat
 * @param {import("./host_page.js").HostPage} host
 */
export function watchForTakeover(element, visit, { chat, store, conversations }, host) {
  let isThere = false;
  let last = "";
  let movedAt = Date.now();

  async function poll() {
    const { id } = chat;
    const found = await state(id);
    if (!found || chat.id !== id) return;
    isThere = found.person;
    const words = inWords(found);
    if (element.textContent !== words) element.textContent = words;
    const place = `${id} ${found.last}`;
    if (last !== place) movedAt = Date.now();
    last = place;
    if (found.last !== store.conversation.lastId && !chat.answers.isRunning) await show();
  }

  async function show() {
    const known = new Set(turnsOfPersons().map(({ messageId }) => messageId));
    await conversations.refresh();
    for (const { messageId, text } of turnsOfPersons()) {
      if (known.has(messageId)) continue;
      chat.status.say(t("Message from a person: {text}", { text: speakableText(text) }));
      host.tell("message", { role: "assistant" });
    }
  }

  /** @param {string} id */
  async function state(id) {
    if (!id) return { person: false, ended: "", last: 0 };
    try {
      return await visit.person(id);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return null; // the next poll is soon
    }
  }

  const turnsOfPersons = () => store.conversation.exchanges.map(({ answer }) => answer).filter((each) => each.isByPerson);
  const poller = new Poller(poll, () => (isThere ? WITH_PERSON_MS : Date.now() - movedAt < WARM_FOR_MS ? WARM_MS : 0));
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
