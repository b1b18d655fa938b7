import { copyText } from "../../browser/clipboard.js";
import { t } from "../../lib/i18n.js";

const SHOWN_MS = 2000;
/** @type {WeakMap<Element, ReturnType<typeof setTimeout>>} */
const timers = new WeakMap();

/**
 * Make a button copy what `text` returns when it is pressed.
 * @param {HTMLElement} button
 * @param {() => string} text
 * @param {Pick<import("./status.js").Status, "hint">} status
 * @param {() => string | Promise<string>} [html] the same as HTML
 */
export function wireCopy(button, text, status, html) {
  // What makes the HTML is loaded before the click is over: browsers let a page copy only just after one.
  if (html) button.addEventListener("pointerdown", html, { once: true });
  button.addEventListener("click", async () => copyWith(button, text(), status, await html?.()));
}

/**
 * Copy text and confirm it, as a status message and on the button.
 * @param {Element} button
 * @param {string} text
 * @param {Pick<import("./status.js").Status, "hint">} status
 * @param {string} [html] the same as HTML
 */
export async function copyWith(button, text, status, html) {
  const worked = await copyAndAnnounce(text, status, html);
  button.toggleAttribute("data-copied", worked);
  clearTimeout(timers.get(button));
  timers.set(button, setTimeout(() => button.removeAttribute("data-copied"), SHOWN_MS));
}

/**
 * @param {string} text
 * @param {Pick<import("./status.js").Status, "hint">} status
 * @param {string} [html] the same as HTML
 */
export async function copyAndAnnounce(text, status, html) {
  const worked = await copyText(text, html);
  status.hint(worked ? t("Copied.") : t("The browser blocked copying. Select the text instead."));
  return worked;
}
