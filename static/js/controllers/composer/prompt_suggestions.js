/** Suggest prompts when a message starts with "/"; the code is loaded on first use. */

import { onDemand } from "../../browser/on_demand.js";

const library = onDemand("prompts");

/**
 * @param {HTMLFormElement} form the composer's
 * @param {import("../ui/status.js").Status} status
 * @param {import("../../browser/browser_env.js").BrowserEnv} env
 */
export function wirePromptSuggestions(form, status, env) {
  const area = /** @type {HTMLTextAreaElement} */ (form.elements.namedItem("message"));
  area.addEventListener("input", async function ask() {
    if (!area.value.startsWith("/")) return;
    area.removeEventListener("input", ask);
    const found = await library();
    if (found) found.suggestPrompts(form, area, status, env);
    else area.addEventListener("input", ask); // retried on the next use
  });
}
