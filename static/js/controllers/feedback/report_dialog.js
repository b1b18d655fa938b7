/**
 * Report an answer or a whole chat. Text is kept: in the dialog if sending fails, and in this tab's storage if the
 * dialog is closed. Loaded on first use as `report_dialog`.
 */

import { sendReport } from "../../api/report.js";
import { t } from "../../lib/i18n.js";

const FIELDS = ["reason", "about", "comment"];

/**
 * @typedef {object} About
 * @property {import("../../browser/browser_env.js").BrowserEnv} env
 * @property {import("../ui/status.js").Status} status
 * @property {import("../../browser/safe_storage.js").SafeStorage} tabStorage
 * @property {string} conversationId
 * @property {number} messageId
 */

/** @param {About} about */
export function openReport({ env, status, tabStorage, conversationId, messageId }) {
  const dialog = /** @type {HTMLDialogElement} */ (document.getElementById("report"));
  const form = /** @type {HTMLFormElement} */ (dialog.querySelector("form"));
  const problem = /** @type {HTMLElement} */ (dialog.querySelector("[data-part=problem]"));
  const draft = `report-${messageId}`;
  let isOnItsWay = false;
  fill(form, JSON.parse(tabStorage.read(draft) ?? "{}"));
  say("");
  form.oninput = () => tabStorage.write(draft, JSON.stringify(filled(form)));
  form.onclick = ({ target }) => {
    if (/** @type {Element} */ (target).closest("[data-cancel]")) dialog.close();
  };
  form.onsubmit = async (event) => {
    event.preventDefault();
    if (isOnItsWay) return;
    isOnItsWay = true;
    const { about, ...report } = filled(form);
    const error = await sendReport(env, conversationId, about === "chat" ? 0 : messageId, report);
    isOnItsWay = false;
    if (error) return say(error.message);
    tabStorage.write(draft, null);
    dialog.close();
    status.hint(t("Thanks for your report. We'll review it."));
  };
  dialog.showModal();

  /** @param {string} words */
  function say(words) {
    problem.textContent = words;
    problem.hidden = !words;
  }
}

/** @param {HTMLFormElement} form @returns {Record<string, string>} */
function filled(form) {
  const given = new FormData(form);
  return Object.fromEntries(FIELDS.map((name) => [name, String(given.get(name) ?? "")]));
}

/** @param {HTMLFormElement} form @param {Record<string, string>} draft */
function fill(form, draft) {
  form.reset();
  for (const name of FIELDS) {
    const field = /** @type {RadioNodeList | HTMLTextAreaElement} */ (form.elements.namedItem(name));
    if (draft[name]) field.value = draft[name];
  }
}
