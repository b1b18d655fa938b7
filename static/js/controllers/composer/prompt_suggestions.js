/** Suggest prompts when a message starts with "/", and insert them; the code is loaded on first use. */

import { onDemand } from "../../browser/on_demand.js";

const library = onDemand("prompts");

/**
 * @param {HTMLFormElement} form the composer's
 * @param {import("../../prompts/insertion.js").Tools} tools
 * @returns {(prompt: import("../../prompts/suggestions.js").Prompt) => Promise<void>} inserts a prompt into the message
 */
export function wirePromptSuggestions(form, tools) {
  const area = /** @type {HTMLTextAreaElement} */ (form.elements.namedItem("message"));
  area.addEventListener("input", async function ask() {
    if (!area.value.startsWith("/")) return;
    area.removeEventListener("input", ask);
    const found = await library();
    if (found) found.suggestPrompts(form, area, tools);
    else area.addEventListener("input", ask); // retried on the next use
  });
  return async (prompt) => (await library())?.insertPrompt(area, prompt, tools);
}
