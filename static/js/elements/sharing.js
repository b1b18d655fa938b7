/** Links to a chat: the dialog that makes them, and the buttons that copy them. */

import { htmx } from "../htmx_on_demand.js";
import { sharingOf } from "../stream/addresses.js";
import { wireCopies } from "./copies.js";
import { wireDialog } from "./dialog.js";

/**
 * @param {HTMLDialogElement | null} dialog null where this site shares nothing
 * @param {import("./status.js").Status} status
 * @returns {((id: string) => void) | null} opens it for the conversation of that id
 */
export function wireSharing(dialog, status) {
  if (!dialog) return null;
  wireDialog(dialog, status);
  wireCopies(dialog);
  return async (id) => {
    await htmx();
    const here = /** @type {any} */ (globalThis).htmx;
    if (here) here.ajax("GET", sharingOf(id), { target: "#sharing-letter", swap: "innerHTML" });
    else location.assign(sharingOf(id)); // as without scripts
  };
}
