/**
 * Report an answer or a whole chat. Text is kept: in the dialog if sending fails, and in this tab's storage if the
 * dialog is closed. Loaded on first use as `report_dialog`; a member's page then also fetches the form.
 */

import { sendReport } from "../../api/report.js";
import { loadHtmx } from "../../htmx_on_demand.js";
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

/** @type {Promise<unknown> | undefined} */
let arrival;

/** @param {About} about */
export async function openReport({ env, status, tabStorage, conversationId, messageId }) {
  const dialog = /** @type {HTMLDialogElement} */ (document.getElementById("report"));
  await (arrival ??= fetchForm(dialog));
  const form = dialog.querySelector("form");
  if (!form) {
    arrival = undefined; // the next use tries again
    return status.hintNotLoaded();
  }
  if (dialog.open) return;
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

/**
 * Fetch the form where the page came without it. A visitor's page has it, and does without htmx.
 * @param {HTMLDialogElement} dialog
 */
async function fetchForm(dialog) {
  const place = dialog.querySelector("[hx-get]");
  if (!place || !(await loadHtmx())) return;
  await new Promise((resolve) => {
    place.addEventListener("htmx:afterRequest", resolve, { once: true });
    place.dispatchEvent(new Event("asked"));
  });
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
