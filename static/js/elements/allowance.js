/** What is left to spend. The server writes it; here it is asked for again, unless somebody is reading it. */
export function refreshAllowance() {
  const place = document.getElementById("allowance");
  if (!place?.querySelector(":popover-open")) place?.dispatchEvent(new Event("refresh"));
}
