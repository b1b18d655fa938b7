/**
 * Entry point of the staff's pages: format answers near the window, handle keys and show live updates. Without scripts,
 * the same content is there as text and links.
 */

import { refreshCsrfFields } from "./browser/csrf_fields.js";
import { sendTimeZone } from "./browser/time_zone.js";
import { wireChart } from "./controllers/review/chart_days.js";
import { completeMentions } from "./controllers/review/mention_completion.js";
import { sendWithKeys } from "./controllers/review/note_keys.js";
import { KeyboardNavigation } from "./controllers/review/keyboard_navigation.js";
import { wireTrial } from "./controllers/review/provider_trial.js";
import { wireSelection } from "./controllers/review/row_selection.js";
import { RunningAnswers } from "./controllers/review/running_answers.js";
import { wireFolding } from "./controllers/review/turn_folding.js";
import { showWaitingCount } from "./controllers/review/waiting_count.js";
import { WatchedChat } from "./controllers/review/watched_chat.js";
import { AnswerMarkdown, prepareToRead } from "./controllers/transcript/answer_markdown.js";
import { LazyRender } from "./controllers/transcript/lazy_render.js";
import { holdPlace } from "./browser/hold_place.js";
import { scrollToHit } from "./controllers/transcript/scroll_to_hit.js";
import { wireCards } from "./controllers/widget/answer_cards_opener.js";
import { wireTooltips } from "./controllers/ui/tooltip.js";

const hint = /** @type {HTMLElement} */ (document.getElementById("hint"));
const status = { hint: (/** @type {string} */ words) => void (hint.textContent = words) };

refreshCsrfFields();
sendTimeZone(); // for the next page; this one names the zone of its times
wireTooltips();
new KeyboardNavigation(document);
document.querySelector(".review-nav [aria-current]")?.scrollIntoView({ inline: "center", block: "nearest" });
const selection = /** @type {HTMLFormElement | null} */ (document.querySelector("#selection"));
if (selection) wireSelection(selection);
const thread = /** @type {HTMLElement | null} */ (document.getElementById("thread"));
if (thread) wireFolding(thread);
if (thread) wireCards(thread, thread.dataset.cards, true);
const found = /** @type {HTMLElement | null} */ (document.querySelector("[data-found]"));
if (found) scrollToHit({ exchange: found, turn: "text" }, holdPlace);

for (const chart of document.querySelectorAll(".chart")) wireChart(/** @type {HTMLElement} */ (chart));
const running = /** @type {HTMLElement | null} */ (document.getElementById("running"));
if (running) new RunningAnswers(running);
const live = /** @type {HTMLElement | null} */ (document.getElementById("live"));
if (live?.dataset.place && thread) new WatchedChat(live, thread, status);

const mentionable = document.getElementById("mentionable");
const names = JSON.parse(mentionable?.textContent ?? "[]");
for (const note of document.querySelectorAll(".note-form textarea")) {
  const field = /** @type {HTMLTextAreaElement} */ (note);
  if (mentionable) completeMentions(field, names, status);
  sendWithKeys(field);
}

const trial = document.getElementById("trial");
if (trial) wireTrial(trial);

const waiting = document.getElementById("waiting");
if (waiting) showWaitingCount(waiting, status);

const answers = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('.turn:not([data-generation]) > [data-part="text"]'));
if (answers.length) {
  const lazyRender = new LazyRender();
  await prepareToRead();
  for (const words of answers) {
    lazyRender.when(words, () => new AnswerMarkdown(words, status).show(words.textContent ?? "", true));
  }
}
