import { copy } from "../lib/clipboard.js";
import { t } from "../lib/words.js";

const SHOWN_MS = 2000;

/**
 * A button that copies what `text` returns at the moment it is pressed.
 * @param {HTMLElement} button
 * @param {() => string} text
 * @param {import("./status.js").Status} status
 */
export function wireCopy(button, text, status) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  button.addEventListener("click", async () => {
    const worked = await copyAndSay(text(), status);
    button.toggleAttribute("data-copied", worked);
    clearTimeout(timer);
    timer = setTimeout(() => button.removeAttribute("data-copied"), SHOWN_MS);
  });
}

/**
 * @param {string} text
 * @param {import("./status.js").Status} status
 */
export async function copyAndSay(text, status) {
  const worked = await copy(text);
  status.hint(worked ? t("Copied.") : t("The browser did not allow copying. Select the text instead."));
  return worked;
}
