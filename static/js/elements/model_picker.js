/**
 * The models on offer: a native select, and a dialog that shows what is known of each of them. The select
 * holds the choice.
 */

import { t } from "../lib/words.js";
import { savePreference } from "../stream/preferences.js";

export class ModelPicker {
  #select;

  /** @param {HTMLSelectElement} select */
  constructor(select) {
    this.#select = select;
  }

  get options() {
    return Array.from(this.#select.options, ({ value, text }) => ({ value, text }));
  }

  get chosen() {
    return this.#select.value;
  }

  /** How many tokens the chosen one can read. */
  get window() {
    return Number(this.#select.selectedOptions[0]?.dataset.window ?? 0);
  }

  /** @param {string} id one that is not on offer (any more) changes nothing */
  choose(id) {
    if (!this.#option(id) || id === this.chosen) return;
    this.#select.value = id;
    this.#select.dispatchEvent(new Event("change"));
  }

  /** @param {() => void} callback */
  onChange(callback) {
    this.#select.addEventListener("change", callback);
  }

  /** @param {string} id */
  nameOf(id) {
    return this.#option(id)?.text ?? id.slice(id.lastIndexOf("/") + 1);
  }

  /** @param {string} id */
  #option(id) {
    return Array.from(this.#select.options).find((option) => option.value === id);
  }
}

/**
 * The dialog, and the button that opens it.
 * @param {HTMLDialogElement} dialog
 * @param {HTMLElement} button
 * @param {ModelPicker} models
 * @param {{status: import("./status.js").Status, world: import("../stream/connection.js").World}} site
 */
export function wireModels(dialog, button, models, { status, world }) {
  const radios = /** @type {NodeListOf<HTMLInputElement>} */ (dialog.querySelectorAll("input[type=radio]"));
  button.addEventListener("click", () => {
    dialog.showModal();
    for (const radio of radios) {
      radio.checked = radio.value === models.chosen;
      if (radio.checked) radio.focus();
    }
  });
  dialog.addEventListener("change", ({ target }) => {
    models.choose(/** @type {HTMLInputElement} */ (target).value);
  });
  dialog.querySelector("#keep-model")?.addEventListener("click", async () => {
    dialog.close();
    const name = models.nameOf(models.chosen);
    const isSaved = await savePreference(world, "default_model", models.chosen);
    const failed = t("This was not saved. Check the connection, then try again.");
    status.hint(isSaved ? t("New chats begin with {name} from now on.", { name }) : failed);
  });
}
