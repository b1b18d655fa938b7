/** Shared links: the dialog that creates them, and their Copy buttons. */

import { sharingUrl } from "../../api/urls.js";
import { loadStyleSheet } from "../../browser/load_style_sheet.js";
import { loadHtmx } from "../../htmx_on_demand.js";
import { htmxDetail } from "../../htmx_requests.js";
import { once } from "../../lib/once.js";
import { wireCopyFields } from "../ui/copy_fields.js";
import { wireDialog } from "../ui/dialog.js";
import { partsIn } from "../ui/template_parts.js";

const loadStyles = once(() => loadStyleSheet("sharing.css"));

/**
 * @param {HTMLDialogElement | null} dialog null if sharing is turned off
 * @param {import("../ui/status.js").Status} status
 * @returns {((id: string) => void) | null} opens it for a conversation
 */
export function wireShareDialog(dialog, status) {
  if (!dialog) return null;
  let wanted = "";
  const letter = /** @type {HTMLElement} */ (dialog.firstElementChild);
  const waiting = /** @type {HTMLElement} */ (letter.firstElementChild);
  const { loading, failed, again } = partsIn(waiting);
  wireDialog(dialog, status);
  wireCopyFields(dialog);
  again.addEventListener("click", ask);
  dialog.addEventListener("close", () => letter.dispatchEvent(new CustomEvent("htmx:abort", { bubbles: true, detail: {} })));
  for (const name of ["htmx:sendError", "htmx:responseError"]) {
    letter.addEventListener(name, ({ target }) => target === letter && show(true));
  }
  document.body.addEventListener("htmx:configRequest", (event) => {
    const detail = htmxDetail(event);
    if (detail.elt === letter) detail.path = sharingUrl(wanted);
  });
  return (id) => {
    wanted = id;
    ask();
  };

  async function ask() {
    show(false);
    if (dialog?.open === false) dialog.showModal();
    waiting.querySelector("h2")?.focus();
    const [htmx] = await Promise.all([loadHtmx(), loadStyles()]);
    if (htmx) letter.dispatchEvent(new Event("asked"));
    else location.assign(sharingUrl(wanted)); // submit the form as without scripts
  }

  /** Show in the place of the content that it is on its way, or didn't come. @param {boolean} hasFailed */
  function show(hasFailed) {
    letter.setAttribute("aria-busy", String(!hasFailed));
    loading.hidden = hasFailed;
    failed.hidden = again.hidden = !hasFailed;
    if (waiting.parentElement !== letter) letter.replaceChildren(waiting);
  }
}
