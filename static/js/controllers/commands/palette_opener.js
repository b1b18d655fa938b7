/**
 * Open the command palette. Its dialog opens at once, so that what is typed goes there. Its script is loaded once the page
 * is used, so that it works without a network later.
 */

import { whenIdle } from "../../browser/idle.js";
import { isComposing } from "../../browser/ime.js";
import { onDemand } from "../../browser/on_demand.js";

const script = onDemand("command_palette");

/** @param {import("../ui/status.js").Status} status */
export async function openShortcutList(status) {
  (await script())?.toggleShortcuts(status);
}

/**
 * @param {HTMLDialogElement} dialog
 * @param {import("../../browser/browser_env.js").BrowserEnv} env
 * @param {import("../ui/status.js").Status} status
 * @param {() => import("./palette_commands.js").CommandParts} parts
 * @param {import("./command_palette.js").UsePrompt} usePrompt
 * @returns {() => Promise<void>} opens or closes it
 */
export function wirePalette(dialog, env, status, parts, usePrompt) {
  const field = /** @type {HTMLInputElement} */ (dialog.querySelector("input"));
  const list = /** @type {HTMLElement} */ (dialog.querySelector("[role=listbox]"));
  /** @type {import("./command_palette.js").CommandPalette | undefined} */
  let palette;
  let isEntered = false; // before the script was there
  field.addEventListener("keydown", (event) => {
    if (palette || event.key !== "Enter" || isComposing(event)) return;
    event.preventDefault();
    isEntered = true;
  });
  for (const use of ["pointerdown", "keydown"]) addEventListener(use, () => whenIdle(script), { once: true, capture: true });

  return async function toggle() {
    if (dialog.open) {
      dialog.close();
      return;
    }
    field.value = "";
    isEntered = false;
    dialog.showModal();
    list.setAttribute("aria-busy", "true");
    const module = palette ? null : await script();
    if (module) palette ??= new module.CommandPalette(dialog, env, parts, usePrompt);
    if (palette && dialog.open) palette.opened(isEntered);
    else if (!palette) fail();
  };

  function fail() {
    dialog.close();
    status.hintNotLoaded();
  }
}
