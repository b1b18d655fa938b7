/** Entry point of the settings page: htmx sends each change, and this applies it at once. */

import "./htmx_policy.js";
import { showTheme } from "./browser/theme.js";
import { AnswerNoticePermission } from "./controllers/ui/answer_notice_permission.js";
import { configureHtmx } from "./htmx_requests.js";
import { t } from "./lib/i18n.js";

const form = /** @type {HTMLFormElement} */ (document.getElementById("settings"));
const saved = /** @type {HTMLElement} */ (document.getElementById("saved"));

/** @param {string} words */
function fail(words) {
  saved.textContent = words;
  saved.toggleAttribute("data-failed", Boolean(words));
}

const notices = new AnswerNoticePermission(form, /** @type {HTMLElement} */ (document.getElementById("notice-permission")));
configureHtmx({ hint: fail });
form.addEventListener("change", ({ target }) => {
  const { name, value } = /** @type {HTMLInputElement} */ (target);
  fail("");
  if (name === "theme") showTheme(value);
  if (name === "answer_notices") notices.chosen();
  if (name === "text_size") document.documentElement.dataset.textSize = value;
});
for (const name of ["htmx:sendError", "htmx:responseError"]) {
  document.body.addEventListener(name, () => fail(t("Couldn't save this. Check your connection, then try again.")));
}
