/**
 * Rate an answer with two buttons, and ask for a reason after a bad rating. The rating is stored with the first click,
 * and the reason is added to it. A report button (report_answer.js) is beside them if staff can read reports.
 */

import { onDemand } from "../../browser/on_demand.js";

const extras = onDemand("answer_extras");

/** @typedef {import("../../models/answer.js").Opinion} Opinion */
/** @typedef {{thumbUp: HTMLElement, thumbDown: HTMLElement, report?: HTMLElement}} RatingParts */

export class RatingButtons {
  #up;
  #down;
  #report;
  #answer;
  #rate;

  /**
   * @param {RatingParts} parts
   * @param {import("../../models/answer.js").Answer} answer
   * @param {(opinion: Opinion) => Promise<boolean>} rate returns whether the rating was stored
   */
  constructor({ thumbUp, thumbDown, report }, answer, rate) {
    this.#up = thumbUp;
    this.#down = thumbDown;
    this.#report = report;
    this.#answer = answer;
    this.#rate = rate;
    thumbUp.addEventListener("click", () => this.#toggle(1));
    thumbDown.addEventListener("click", () => this.#toggle(-1));
    this.update();
  }

  update() {
    const { messageId, rating, isOver, text, isByPerson } = this.#answer;
    this.#up.hidden = this.#down.hidden = !messageId || !isOver || !text || isByPerson;
    if (this.#report) this.#report.hidden = !messageId || !isOver || !text;
    this.#up.setAttribute("aria-pressed", String(rating?.value === 1));
    this.#down.setAttribute("aria-pressed", String(rating?.value === -1));
  }

  /** @param {1 | -1} value */
  async #toggle(value) {
    const before = this.#answer.rating;
    if (before?.value === value) {
      await this.#set({ value: 0 });
      return;
    }
    if (value === -1) this.#askReason(before ?? {});
    if (!(await this.#set({ value }))) document.getElementById("why-card")?.hidePopover(); // no reason is needed
  }

  /** @param {Partial<Opinion>} before */
  async #askReason(before) {
    (await extras())?.askReason(this.#down, before, (reason) => this.#set({ value: -1, ...reason }));
  }

  /** @param {Opinion} opinion */
  async #set(opinion) {
    const before = this.#answer.rating;
    this.#answer.rating = opinion.value ? opinion : null;
    this.update();
    const isKept = await this.#rate(opinion);
    if (!isKept) this.#answer.rating = before;
    this.update();
    return isKept;
  }
}
