/** Attach files that are dropped, pasted or chosen to the message. What reads them is loaded on demand. */

import { wireDrop } from "../../browser/dropped_files.js";
import { onDemand } from "../../browser/on_demand.js";
import { t } from "../../lib/i18n.js";

/** Longer text is added as a file: in the box, it would hide what is asked about it. */
const LONG_PASTE_CHARS = 4000;
const reading = onDemand("file_reader");

/**
 * What is asked of a ModelPicker.
 * @typedef {object} FileModels
 * @property {string} chosen
 * @property {{value: string, text: string}[]} options
 * @property {(id: string) => {vision?: boolean} | undefined} abilitiesOf
 * @property {(id: string) => string} nameOf
 * @property {(id: string) => void} choose
 * @property {(callback: () => void, signal?: AbortSignal) => void} onChange
 */
/**
 * @typedef {object} FileInputParts
 * @property {HTMLFormElement} form the composer's
 * @property {import("./composer.js").Composer} composer
 * @property {import("../ui/status.js").Status} status
 * @property {import("../../browser/browser_env.js").BrowserEnv} env
 * @property {FileModels} models
 * @property {AbortSignal} signal ends it
 */

/** @param {FileInputParts} parts */
export function wireFileInput(parts) {
  const { form, composer, models, signal, status } = parts;
  const chooser = /** @type {HTMLInputElement} */ (form.querySelector("input[type=file]"));
  /** @type {import("./file_reader.js").ComposerFiles | undefined} */
  let reader;
  const load = async () => {
    const module = await reading();
    if (!module) status.hintNotLoaded();
    else reader ??= new module.ComposerFiles(parts);
    return reader;
  };
  const add = async (/** @type {Iterable<File>} */ files) => {
    const list = [...files]; // before the browser empties it
    return (await load())?.add(list);
  };
  form.querySelector("#attach")?.addEventListener("click", () => chooser.click());
  chooser.addEventListener("change", async () => {
    if (chooser.files) await add(chooser.files);
    chooser.value = "";
  });
  form.addEventListener("paste", async (event) => {
    const data = /** @type {DataTransfer} */ (event.clipboardData);
    const text = data.getData("text/plain");
    if (text ? text.length < LONG_PASTE_CHARS : !data.files.length) return; // a copied table has both an image and text
    event.preventDefault();
    await add(text ? [new File([text], t("Pasted text.txt"))] : data.files);
    if (text && !reader) document.execCommand("insertText", false, text);
  });
  const check = async () => {
    if (reader || composer.files.some(({ image }) => image)) (await load())?.check();
  };
  form.addEventListener("attachments", check);
  models.onChange(check, signal);
  check();
  wireDrop(form, ({ files }) => add(files), signal);
}
