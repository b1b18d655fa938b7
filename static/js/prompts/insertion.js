/** Insert a prompt into the message box, once its variables are filled in. */

import { loadPromptText } from "../api/prompts.js";
import { askForValues } from "./variable_form.js";
import { fillIn, knownValues, variablesOf } from "./variables.js";

/**
 * @typedef {object} Tools
 * @property {import("../types.js").StatusLine} status
 * @property {import("../browser/browser_env.js").BrowserEnv} env
 * @property {import("../browser/safe_storage.js").SafeStorage} storage the tab's
 */

/**
 * Insert the prompt at the cursor, or in place of the text if that only asked for it.
 * @param {HTMLTextAreaElement} area
 * @param {import("./suggestions.js").Prompt} prompt
 * @param {Tools} tools
 * @param {boolean} [replacesText]
 */
export async function insertPrompt(area, prompt, { status, env, storage }, replacesText = false) {
  const written = area.value;
  const cursor = area.selectionEnd; // a dialog above the message box may lose it
  const text = await loadPromptText(env, prompt.id, status);
  const isSame = area.value === written; // or the user has typed more, or sent the message, meanwhile
  if (text === null || (replacesText && !isSame)) return;
  const known = knownValues(new Date(), document.documentElement.lang || "en");
  const asked = variablesOf(text).filter(({ name }) => !Object.hasOwn(known, name));
  const values = asked.length ? await askForValues(prompt, asked, storage) : {};
  area.focus();
  if (!values) return;
  const end = area.value === written ? cursor : area.value.length;
  area.setSelectionRange(replacesText && area.value === written ? 0 : end, end);
  insert(area, fillIn(text, { ...known, ...values }));
}

/**
 * Replace the selection as if typed, so that it can be undone.
 * @param {HTMLTextAreaElement} area
 * @param {ReturnType<typeof fillIn>} filled
 */
function insert(area, { text, gap }) {
  const start = area.selectionStart;
  if (!document.execCommand("insertText", false, text)) {
    area.setRangeText(text, start, area.selectionEnd, "end");
    area.dispatchEvent(new Event("input", { bubbles: true }));
  }
  if (gap) area.setSelectionRange(start + gap[0], start + gap[1]);
}
