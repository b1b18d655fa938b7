/**
 * What a chat's answers may use: collections of documents, and tools. Each is a menu of checkboxes in the composer; that
 * of the tools is loaded when its button is pressed, and what decisions and the model change in it each time.
 */

import { loadHtmx } from "../../htmx_on_demand.js";

/** Show the names of what is chosen on the menus' buttons. @param {AbortSignal} [signal] */
export function wirePickers(signal) {
  for (const picker of pickers()) {
    const show = () => {
      const names = picker.querySelector('[data-part="names"]');
      if (names && boxes(picker).length) names.textContent = boxes(picker, ":checked").map(nameOf).join(", ");
    };
    picker.addEventListener("change", show, { signal });
    show();
    // What loads them stays on the page: htmx doesn't know the menus of chats that are shown later.
    picker.querySelector("#open-tools")?.addEventListener("click", async () => {
      if (await loadHtmx()) document.getElementById("tools")?.dispatchEvent(new Event("asked"));
    }, { signal });
  }
}

/** Return what a request says about them; nothing where there is no choice, or nobody has looked at it. */
export function chosenExtras() {
  /** @type {Record<string, string[]>} */
  const chosen = {};
  for (const picker of pickers()) {
    for (const { name } of boxes(picker).slice(0, 1)) chosen[name] = boxes(picker, ":checked:enabled").map(({ value }) => value);
  }
  return chosen;
}

function pickers() {
  return document.querySelectorAll(".collection-picker");
}

/**
 * @param {Element} picker
 * @param {string} [state]
 * @returns {HTMLInputElement[]}
 */
function boxes(picker, state = "") {
  return [...picker.querySelectorAll(`input[type=checkbox]${state}`)].map((box) => /** @type {HTMLInputElement} */ (box));
}

/** @param {HTMLInputElement} box */
function nameOf({ parentElement }) {
  return parentElement?.querySelector("bdi")?.textContent ?? "";
}
