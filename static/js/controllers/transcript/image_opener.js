/** Open images of questions in a dialog; without its module, and with keys that ask for it, in a tab. */

import { onDemand } from "../../browser/on_demand.js";

const showing = onDemand("image_dialog");

export function wireImages() {
  document.addEventListener("click", async (event) => {
    const { target, ctrlKey, metaKey, shiftKey } = event;
    const link = /** @type {HTMLAnchorElement | null} */ (/** @type {Element} */ (target).closest("a.image-thumb"));
    if (!link || ctrlKey || metaKey || shiftKey) return;
    event.preventDefault();
    const module = await showing();
    if (module) module.showImage(link);
    else open(link.href, "_blank", "noopener");
  });
}
