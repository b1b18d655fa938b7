/** Shared links: the dialog that creates them, and their Copy buttons. */

import { sharingUrl } from "../../api/urls.js";
import { loadStyleSheet } from "../../browser/load_style_sheet.js";
import { loadHtmx } from "../../htmx_on_demand.js";
import { htmxDetail } from "../../htmx_requests.js";
import { once } from "../../lib/once.js";
import { wireCopyFields } from "../ui/copy_fields.js";
import { wireDialog } from "../ui/dialog.js";

const loadStyles = once(() => loadStyleSheet("sharing.css"));

/**
 * @param {HTMLDialogElement | null} dialog null if sharing is turned off
 * @param {import("../ui/status.js").Status} status
 * @returns {((id: string) => void) | null} opens it for a conversation
 */
export function wireShareDialog(dialog, status) {
  if (!dialog) return null;
  let wanted = "";
  const letter = dialog.firstElementChild;
  wireDialog(dialog, status);
  wireCopyFields(dialog);
  document.body.addEventListener("htmx:configRequest", (event) => {
    const detail = htmxDetail(event);
    if (detail.elt === letter) detail.path = sharingUrl(wanted);
  });
  return async (id) => {
    wanted = id;
    const [htmx] = await Promise.all([loadHtmx(), loadStyles()]);
    if (htmx) letter?.dispatchEvent(new Event("asked"));
    else location.assign(sharingUrl(id)); // submit the form as without scripts
  };
}
