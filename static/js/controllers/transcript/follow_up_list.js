/**
 * The questions that are suggested after the last answer. A click on one asks it (composer/starters.js). Only the last
 * answer shows them (starters.css). Loaded on demand.
 */

import { t } from "../../lib/i18n.js";

/** @typedef {import("../../models/answer.js").Answer} Answer */

/** @type {WeakSet<Answer>} those whose questions were announced */
const announced = new WeakSet();

/**
 * Show the questions of an answer below it, if it has any. If they haven't changed, their elements stay, with the focus.
 * @param {HTMLElement} root of the answer
 * @param {Answer} answer
 * @param {import("../ui/status.js").Status} status
 */
export function showFollowUps(root, answer, status) {
  const old = root.querySelector(":scope > .starters");
  const { followUps } = answer;
  if (old && followUps.join() === Array.from(old.children, (each) => each.textContent).join()) return;
  old?.remove();
  if (!followUps.length) return;
  const list = document.createElement("ul");
  list.className = "starters";
  list.setAttribute("aria-label", t("Suggested questions"));
  list.append(...followUps.map(itemOf));
  root.append(list);
  if (!answer.lastEventId || announced.has(answer)) return; // it was there when the page was opened
  announced.add(answer);
  status.say(t("Suggested questions"));
}

/** @param {string} question */
function itemOf(question) {
  const item = document.createElement("li");
  const button = document.createElement("button");
  button.type = "button";
  button.className = "starter";
  button.dir = "auto";
  button.dataset.prompt = button.textContent = question;
  item.append(button);
  return item;
}
