/** How many visitors wait for a person, on each open page of an inbox: in its navigation and in the tab's title. */

import { ApiError } from "../../api/errors.js";
import { fetchReviewJson } from "../../api/staff_review.js";
import { Poller } from "../../browser/poller.js";
import { t } from "../../lib/i18n.js";

const EVERY_MS = 5000;

/**
 * @param {HTMLElement} element whose `data-source` is the address of the number
 * @param {{hint: (words: string) => void}} status
 */
export function showWaitingCount(element, status) {
  const title = document.title;
  let known = Number(element.dataset.waiting);
  let own = Number(element.dataset.mine);
  show(known);
  const poller = new Poller(poll, () => EVERY_MS, () => true); // the title is read in other tabs

  async function poll() {
    try {
      const { waiting, mine } = await fetchReviewJson(element.dataset.source ?? "");
      if (waiting > known) status.hint(t("A visitor is waiting for a person."));
      else if (mine > own) status.hint(t("Another chat is yours now."));
      own = mine;
      if (waiting !== known) show((known = waiting));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.status === 401 || error.status === 404 || error.code === "not_authenticated") poller.stop();
    }
  }

  /** @param {number} waiting */
  function show(waiting) {
    element.hidden = waiting === 0;
    element.textContent = `(${waiting})`;
    document.title = waiting ? `(${waiting}) ${title}` : title;
  }
}
