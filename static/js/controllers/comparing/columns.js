/**
 * Two answers beside each other, A and B: their headings, what can be done with each, and the vote while their models are
 * hidden. On a phone, they are swiped.
 */

import { t } from "../../lib/i18n.js";

/** @typedef {"a" | "b"} Side */
/** @typedef {{root: HTMLElement, name: HTMLElement, stop: HTMLButtonElement, choose: HTMLButtonElement, place: HTMLElement}} Column */
/**
 * @typedef {object} ColumnActions
 * @property {(side: Side) => void} stop
 * @property {(side: Side) => void} choose
 * @property {(side: Side) => void} again asks a model again whose answer failed
 * @property {(verdict: string) => void} vote
 */

let made = 0; // so that IDs are unique

export class Columns {
  root = element("div", "side-by-side");
  #row = element("div", "side-by-side-row");
  #vote;
  /** @type {Record<Side, Column>} */
  #columns;

  /** @param {ColumnActions} actions */
  constructor(actions) {
    made++;
    this.#columns = { a: this.#column("a", actions), b: this.#column("b", actions) };
    this.#vote = voteRow(actions);
    this.#row.append(this.#columns.a.root, this.#columns.b.root);
    this.root.append(this.#row, this.#vote);
  }

  /** Put an answer's element into its column. @param {Side} side @param {Element} answer */
  place(side, answer) {
    this.#columns[side].place.replaceChildren(answer);
  }

  /** @param {Side} side */
  answerAt(side) {
    return this.#columns[side].place.firstElementChild;
  }

  /**
   * @param {Side} side
   * @param {{name: string, isRunning: boolean, canChoose: boolean, isChosen: boolean}} state
   */
  show(side, { name, isRunning, canChoose, isChosen }) {
    const column = this.#columns[side];
    column.name.textContent = name;
    column.stop.hidden = !isRunning;
    column.choose.hidden = !canChoose;
    column.choose.setAttribute("aria-pressed", String(isChosen));
    column.choose.textContent = isChosen ? t("The chat goes on from here") : t("Continue with this answer");
    column.root.toggleAttribute("data-chosen", isChosen);
  }

  /** @param {{isOffered: boolean, isComplete: boolean}} state */
  showVote({ isOffered, isComplete }) {
    this.#vote.hidden = !isOffered;
    for (const each of this.#vote.querySelectorAll("button")) each.hidden = each.value !== "skipped" && !isComplete;
  }

  /** Focus what tells that this answer is chosen, unless somebody is elsewhere. @param {Side} side @returns {boolean} whether it is there */
  focus(side) {
    const { choose } = this.#columns[side];
    const isFree = document.activeElement === document.body || this.root.contains(document.activeElement);
    if (!choose.hidden && isFree) choose.focus({ preventScroll: true });
    return !choose.hidden;
  }

  /** @param {Side} side @param {ColumnActions} actions @returns {Column} */
  #column(side, actions) {
    const root = element("section", "side-by-side-answer");
    const heading = element("h2", "side-by-side-heading");
    heading.id = `side-by-side-${made}-${side}`;
    root.setAttribute("aria-labelledby", heading.id);
    const name = document.createElement("bdi");
    name.className = "truncate";
    heading.append(`${labelOf(side)} `, name);
    const stop = button(t("Stop"), "button plain");
    stop.onclick = () => actions.stop(side);
    const head = element("div", "side-by-side-head");
    head.append(heading, stop);
    const place = element("div", "side-by-side-place");
    place.addEventListener("click", (event) => again(event, side, actions), { capture: true });
    const choose = button("", "button");
    choose.onclick = () => actions.choose(side);
    root.append(head, place, choose);
    return { root, name, stop, choose, place };
  }
}

/** @param {Side} side */
export const labelOf = (side) => (side === "a" ? t("Answer A") : t("Answer B"));

/** What is offered below a failed answer concerns the pair. @param {Event} event @param {Side} side @param {ColumnActions} actions */
function again(event, side, actions) {
  const { choice } = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest("button[data-choice]"))?.dataset ?? {};
  if (choice !== "again") return;
  event.stopPropagation();
  actions.again(side);
}

/** @param {ColumnActions} actions */
function voteRow({ vote }) {
  const row = element("div", "side-by-side-vote");
  row.setAttribute("role", "group");
  const question = element("p", "side-by-side-question");
  question.id = `side-by-side-${made}-question`;
  question.textContent = t("Which answer is better?");
  row.setAttribute("aria-labelledby", question.id);
  const verdicts = [
    ["a", t("A is better")],
    ["b", t("B is better")],
    ["good", t("Both are good")],
    ["bad", t("Both are bad")],
    ["skipped", t("Show the names without voting")],
  ];
  const buttons = verdicts.map(([verdict, words]) => {
    const each = button(words, verdict === "skipped" ? "button plain" : "button");
    each.value = verdict;
    each.onclick = () => vote(verdict);
    return each;
  });
  row.append(question, ...buttons);
  return row;
}

/** @param {string} tag @param {string} name */
function element(tag, name) {
  const made = document.createElement(tag);
  made.className = name;
  return made;
}

/** @param {string} words @param {string} name */
function button(words, name) {
  const made = document.createElement("button");
  made.type = "button";
  made.className = name;
  made.textContent = words;
  return made;
}
