/**
 * Whether a person answers in a visitor's chat now, said above the message box; their turns come by themselves. Where
 * nobody is there, it looks only for a while after something was said.
 */

import { Poller } from "../browser/poller.js";
import { speakableText } from "../lib/speakable_text.js";
import { t } from "../lib/i18n.js";
import { ApiError } from "../api/errors.js";

const WITH_PERSON_MS = 2000;
const WARM_MS = 5000;
const WARM_FOR_MS = 10 * 60 * 1000;

/**
 * @param {HTMLElement} element
 * @param {import("../api/widget_session.js").WidgetSession} visit
 * @param {import("./visitor_chat.js").VisitorChat} chat
 * @param {import("./status.js").Status} status
 * @param {import("./host.js").Host} host
 */
export function watchForPerson(element, visit, chat, status, host) {
  let isThere = false;
  let last = "";
  let movedAt = Date.now();

  async function look() {
    const { id } = chat;
    const found = await state(id);
    if (!found || chat.id !== id) return;
    isThere = found.person;
    const words = inWords(found);
    if (element.textContent !== words) element.textContent = words;
    const place = `${id} ${found.last}`;
    if (last !== place) movedAt = Date.now();
    last = place;
    if (found.last !== conversation().lastId && !chat.run) await show();
  }

  async function show() {
    const known = new Set(turnsOfPersons().map(({ messageId }) => messageId));
    await chat.look();
    for (const { messageId, text } of turnsOfPersons()) {
      if (known.has(messageId)) continue;
      status.say(t("A person writes: {text}", { text: speakableText(text) }));
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
      return null; // the next look is soon
    }
  }

  const turnsOfPersons = () => chat.conversation.exchanges.map(({ answer }) => answer).filter((each) => each.isByPerson);
  const conversation = () => /** @type {import("../models/stored_conversation.js").StoredConversation} */ (chat.conversation);
  const looks = new Poller(look, () => (isThere ? WITH_PERSON_MS : Date.now() - movedAt < WARM_FOR_MS ? WARM_MS : 0));
  chat.onEnd = chat.onShow = () => {
    movedAt = Date.now();
    looks.poll();
  };
}

/** @param {{person: boolean, ended: string}} found */
function inWords({ person, ended }) {
  if (person) return t("You are talking with a person now.");
  if (ended === "left") return t("The person is not here any more. A model answers again.");
  return ended ? t("The person has left the chat to the model again.") : "";
}
