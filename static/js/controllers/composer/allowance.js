import { loadHtmx } from "../../htmx_on_demand.js";

/** What is left to spend. The server writes it; here it is asked for again, unless somebody is reading it. */
export async function refreshAllowance() {
  const place = document.getElementById("allowance");
  if (!place || place.querySelector(":popover-open")) return;
  await loadHtmx();
  place.dispatchEvent(new Event("refresh"));
}
