/**
 * A message that a limit refused for now, loaded on demand: it is in the message box again, and is sent by itself once the
 * limit allows it. Screen readers hear of it at the beginning and at the end.
 */

import { formatDuration } from "../../lib/formatting.js";
import { t } from "../../lib/i18n.js";
import { DelayedSend } from "../../models/delayed_send.js";

const TICK_MS = 1000;

/** @typedef {import("../chat/chat_store.js").Exchange} Exchange */
/**
 * @typedef {object} Parts
 * @property {import("../chat/chat_controller.js").ChatController} chat
 * @property {HTMLFormElement} form
 * @property {import("../ui/status.js").Status} status
 */

/** @type {DelayedSend | null} the last one, which may be refused again */
let earlier = null;

/**
 * @param {Parts} parts
 * @param {Exchange} exchange the refused message, which is in the transcript
 * @returns {() => void} ends it; the text stays in the message box
 */
export function delaySend({ chat, form, status }, exchange) {
  const { composer } = chat;
  const { problem } = exchange.answer;
  const isAlone = !composer.text;
  chat.retries.choose(exchange, "edit");
  if (!problem || chat.transcript.rootOf(exchange)) return () => {};
  const delayed = new DelayedSend(composer.text, problem.retryAfterSeconds ?? 0, Date.now(), earlier);
  earlier = delayed;
  const isAutomatic = delayed.isAutomatic && isAlone;
  const { notice, time, button } = elements((isAutomatic && problem.reason) || problem.message, isAutomatic);
  form.before(notice);
  const timer = isAutomatic ? setInterval(tick, TICK_MS) : undefined;
  if (isAutomatic) {
    time.textContent = wait();
    status.say(wait());
    form.addEventListener("input", tick);
  }
  button.addEventListener("click", () => {
    end();
    composer.focus();
    if (isAutomatic) status.say(t("Canceled. Your draft is saved."));
  });
  return end;

  function tick() {
    const step = delayed.step(composer.text, Date.now());
    if (step === "wait" || (step === "send" && composer.holds())) {
      time.textContent = wait();
      return;
    }
    end();
    if (step === "cancel") return;
    status.say(t("Sending…"));
    composer.submit();
  }

  function wait() {
    return t("Sends again in {time}.", { time: formatDuration(delayed.secondsLeft(Date.now())) });
  }

  function end() {
    clearInterval(timer);
    form.removeEventListener("input", tick);
    notice.remove();
  }
}

/** @param {string} reason @param {boolean} isAutomatic */
function elements(reason, isAutomatic) {
  const notice = document.createElement("p");
  const words = document.createElement("span");
  const time = document.createElement("span");
  const button = document.createElement("button");
  notice.id = "delayed-send";
  notice.className = "composer-notice";
  notice.dataset.tone = "warn";
  words.textContent = reason;
  button.type = "button";
  button.className = "button";
  button.textContent = isAutomatic ? t("Cancel") : t("Dismiss");
  notice.append(words, " ", time, " ", button);
  return { notice, time, button };
}
