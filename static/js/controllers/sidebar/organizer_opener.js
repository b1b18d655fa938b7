/** Load the tools for several chats when they are first needed: to select chats, or to drag one to a project or tag. */

import { elementById } from "../../browser/dom.js";
import { onDemand } from "../../browser/on_demand.js";
import { loadHtmx } from "../../htmx_on_demand.js";

const script = onDemand("organizer");

/**
 * @param {HTMLElement} aside
 * @param {import("../ui/status.js").Status} status
 */
export function wireOrganizer(aside, status) {
  /** @type {Promise<import("./organizer.js").Organizer | null> | undefined} */
  let coming;
  const load = () => (coming ??= make());
  elementById("select-chats", HTMLElement).addEventListener("click", async () => (await load())?.toggle());
  aside.addEventListener("dragstart", async (event) => {
    const row = /** @type {Element} */ (event.target).closest?.(".entry");
    if (row) (await load())?.drag(row);
  });

  async function make() {
    const [module] = await Promise.all([script(), loadHtmx()]);
    const organizer = await module?.organize(aside, status);
    if (organizer) return organizer;
    coming = undefined;
    status.hintNotLoaded();
    return null;
  }
}
