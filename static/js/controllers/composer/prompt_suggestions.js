/** Prompts are offered once a message begins with "/": only then what offers them is fetched. */

import { onDemand } from "../../lib/on_demand.js";

const library = onDemand("prompts");

/**
 * @param {HTMLFormElement} form the composer's
 * @param {import("../ui/status.js").Status} status
 * @param {import("../../stream/connection.js").World} world
 */
export function wirePromptSuggestions(form, status, world) {
  const area = /** @type {HTMLTextAreaElement} */ (form.elements.namedItem("message"));
  area.addEventListener("input", async function ask() {
    if (!area.value.startsWith("/")) return;
    area.removeEventListener("input", ask);
    const found = await library();
    if (found) found.offerPrompts(form, area, status, world);
    else area.addEventListener("input", ask); // it may be had later
  });
}
