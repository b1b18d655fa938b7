import { loadHtmx } from "../../htmx_on_demand.js";

/** What is left of the limits. The server renders it; this reloads it, unless the user is reading it. */
export async function refreshAllowance() {
  const place = document.getElementById("allowance");
  if (!place || place.querySelector(":popover-open")) return;
  await loadHtmx();
  place.dispatchEvent(new Event("refresh"));
}
