/**
 * The staff's list of running answers. Rows keep their place and text; only figures change. A row in use stays until
 * the user leaves it.
 */

import { ApiError } from "../../api/errors.js";
import { needsSignInOrReason, fetchReviewJson } from "../../api/staff_review.js";
import { Poller } from "../../browser/poller.js";
import { t } from "../../lib/i18n.js";
import { cloneTemplate, partsIn, showText } from "../ui/template_parts.js";

const EVERY_MS = 3000;

/**
 * `title`, `person` and `conversation` are only in the first update of a row, because showing them is logged.
 * @typedef {{key: number, figures: Record<string, string>, title?: string, person?: string, conversation?: string}} Row
 */

export class RunningAnswers {
  #parts;
  #source;
  #poller;

  /** @param {HTMLElement} root */
  constructor(root) {
    this.#parts = partsIn(root);
    this.#source = root.dataset.source ?? "";
    this.#poller = new Poller(() => this.#poll(), () => EVERY_MS);
  }

  async #poll() {
    const known = this.#rows.map((row) => row.dataset.key).join(",");
    try {
      this.#show(await fetchReviewJson(`${this.#source}?known=${known}`));
      showText(this.#parts.hint, "");
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const isOver = needsSignInOrReason(error) || error.status === 404;
      if (isOver) this.#poller.stop();
      showText(this.#parts.hint, isOver ? t("This page no longer updates. Reload it.") : error.message);
    }
  }

  /** @param {{rows: Row[], in_words: string, more: number}} news */
  #show({ rows, in_words: words, more }) {
    const running = new Map(rows.map((row) => [String(row.key), row]));
    for (const row of this.#rows) {
      const news = running.get(row.dataset.key ?? "");
      running.delete(row.dataset.key ?? "");
      if (news) fill(row, news);
      else this.#remove(row);
    }
    for (const row of running.values()) this.#parts.rows.append(made(row));
    const count = this.#rows.length;
    this.#parts.table.hidden = !count;
    this.#parts.none.hidden = Boolean(count);
    this.#parts.more.hidden = !more;
    showText(this.#parts.count, rows.length ? words : "");
  }

  /** @param {HTMLElement} row */
  #remove(row) {
    if (!row.contains(document.activeElement)) {
      row.remove();
      return;
    }
    if (row.dataset.ended !== undefined) return;
    row.dataset.ended = "";
    partsIn(row).age.textContent = t("finished");
    row.addEventListener("focusout", () => row.remove(), { once: true });
  }

  get #rows() {
    return /** @type {HTMLElement[]} */ ([...this.#parts.rows.children]);
  }
}

/** @param {Row} row */
function made(row) {
  const { root, parts } = cloneTemplate("running-template");
  root.dataset.key = String(row.key);
  parts.title.textContent = row.title ?? "";
  parts.person.textContent = row.person ?? "";
  parts.title.setAttribute("href", `/review/${row.conversation}/#live`);
  fill(root, row);
  return root;
}

/** @param {HTMLElement} root @param {Row} row */
function fill(root, { figures }) {
  const parts = partsIn(root);
  for (const [name, words] of Object.entries(figures)) showText(parts[name], words);
}
