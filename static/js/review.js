/**
 * Pages of the staff: answers get their form as they come near the window, and keys lead from one thing to the next.
 * Where something goes on, it comes by itself. Without it all is there, as text and links.
 */

import { showFound } from "./elements/found_turn.js";
import { Nearby } from "./elements/nearby.js";
import { wireSelection } from "./elements/row_selection.js";
import { RunningList } from "./elements/running_list.js";
import { Steps } from "./elements/steps.js";
import { WatchedChat } from "./elements/watched_chat.js";
import { Words, prepareToRead } from "./elements/words.js";
import { refreshCsrfFields } from "./browser/csrf_fields.js";

const hint = /** @type {HTMLElement} */ (document.getElementById("hint"));
const status = /** @type {any} */ ({ hint: (/** @type {string} */ words) => (hint.textContent = words) });

refreshCsrfFields();
new Steps(document);
document.querySelector(".review-nav [aria-current]")?.scrollIntoView({ inline: "center", block: "nearest" });
const selection = /** @type {HTMLFormElement | null} */ (document.querySelector("#selection"));
if (selection) wireSelection(selection);
const found = /** @type {HTMLElement | null} */ (document.querySelector("[data-found]"));
if (found) showFound({ exchange: found, turn: "words" });

const running = /** @type {HTMLElement | null} */ (document.getElementById("running"));
if (running) new RunningList(running);
const live = /** @type {HTMLElement | null} */ (document.getElementById("live"));
const thread = /** @type {HTMLElement | null} */ (document.getElementById("thread"));
if (live?.dataset.conversation && thread) new WatchedChat(live, thread, status);

const answers = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('.turn:not([data-generation]) > [data-part="words"]'));
if (answers.length) {
  const nearby = new Nearby();
  await prepareToRead();
  for (const words of answers) {
    nearby.when(words, () => new Words(words, status).show(words.textContent ?? "", true));
  }
}
