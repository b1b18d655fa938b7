/** Attach text files that are dropped, pasted or chosen to the message. */

import { locale, t } from "../../lib/i18n.js";
import { fencedFile, MAX_FILE_BYTES, decodeText } from "../../lib/text_files.js";

/**
 * @param {HTMLFormElement} form the composer's
 * @param {import("./composer.js").Composer} composer
 * @param {import("../ui/status.js").Status} status
 * @param {string} site the site's name
 */
export function wireFileInput(form, composer, status, site) {
  const chooser = /** @type {HTMLInputElement} */ (form.querySelector("input[type=file]"));
  const add = async (/** @type {Iterable<File>} */ files) => {
    let problem = "";
    for (const file of [...files]) {
      const text = await read(file).catch(() => null);
      if (text === null) problem = refusal(file, site);
      else composer.attach(fencedFile(file.name, text));
    }
    if (problem) status.hint(problem); // set the status last, because a change of the message clears it
  };
  form.querySelector("#attach")?.addEventListener("click", () => chooser.click());
  chooser.addEventListener("change", async () => {
    await add(chooser.files ?? []);
    chooser.value = "";
  });
  form.addEventListener("paste", (event) => {
    const { files, types } = /** @type {DataTransfer} */ (event.clipboardData);
    if (!files.length || types.includes("text/plain")) return; // a copied table has both an image and text
    event.preventDefault();
    add(files);
  });
  wireDrop(form, add);
}

/**
 * Accept files dropped anywhere on the page; otherwise the browser would open them instead of the page.
 * @param {HTMLElement} form
 * @param {(files: Iterable<File>) => void} add
 */
function wireDrop(form, add) {
  const mark = (/** @type {boolean} */ isOver) => form.toggleAttribute("data-dropping", isOver);
  const onFiles = (/** @type {DragEvent} */ event) => event.dataTransfer?.types.includes("Files") ?? false;
  document.addEventListener("dragover", (event) => {
    if (!onFiles(event)) return;
    event.preventDefault();
    mark(true);
  });
  document.addEventListener("dragleave", ({ relatedTarget }) => {
    if (!relatedTarget) mark(false);
  });
  document.addEventListener("drop", (event) => {
    mark(false);
    if (!onFiles(event)) return;
    event.preventDefault();
    add(event.dataTransfer?.files ?? []);
  });
}

/** @param {File} file */
async function read(file) {
  if (file.size > MAX_FILE_BYTES) return null;
  return decodeText(new Uint8Array(await file.arrayBuffer()));
}

/** Return why a file is refused. @param {File} file @param {string} site */
function refusal({ name, size, type }, site) {
  if (type.startsWith("image/") && type !== "image/svg+xml") {
    return t("{site} can only read text files. Images aren't supported yet.", { site });
  }
  const kilobytes = new Intl.NumberFormat(locale, { style: "unit", unit: "kilobyte" });
  if (size > MAX_FILE_BYTES) {
    return t("{name} is too large. The limit is {size}.", { name, size: kilobytes.format(MAX_FILE_BYTES / 1024) });
  }
  return t("{name} isn't a text file. {site} can only read text files.", { name, site });
}
