/** Send chosen and dropped files one by one, show how far it is, and name each that was refused. */

import { addDocument } from "../../api/collections.js";
import { ApiError } from "../../api/errors.js";
import { chosenFiles, droppedFiles, wireDrop } from "../../browser/dropped_files.js";
import { findElement } from "../../browser/dom.js";
import { plural, t } from "../../lib/i18n.js";
import { Uploads } from "../../models/uploads.js";
import { partsIn } from "../ui/template_parts.js";

/**
 * @param {HTMLFormElement} form
 * @param {import("../../browser/browser_env.js").BrowserEnv} env
 * @param {() => void} added called when files were added
 */
export function wireUploadForm(form, env, added) {
  const { collection = "", tooLarge = "", mostBytes = "0" } = form.dataset;
  const parts = partsIn(form);
  const progress = findElement(form, "progress", HTMLProgressElement);
  const status = findElement(form, "#upload-status", HTMLElement);
  let shown = 0; // files that were added when the list was last asked for
  const uploads = new Uploads(
    env,
    async ({ file, path }, signal) => {
      if (file.size > Number(mostBytes)) return { error: new ApiError("document_too_large", tooLarge, { retryable: false, status: 413 }), waitMs: 0 };
      return addDocument(env, collection, path, file, signal);
    },
    show,
  );

  const add = (/** @type {import("../../browser/dropped_files.js").FileWithPath[]} */ files) => {
    if (files.length) uploads.add(files);
    else status.textContent = t("There are no files in it.");
  };
  wireChooser(parts.files, findElement(form, "#files", HTMLInputElement), add);
  wireChooser(parts.folder, findElement(form, "#folder", HTMLInputElement), add);
  wireDrop(form, async (data) => add(await droppedFiles(data)));
  parts.stop.addEventListener("click", () => uploads.stop());
  parts.again.addEventListener("click", () => uploads.retry());
  addEventListener("beforeunload", (event) => uploads.isRunning && event.preventDefault());

  function show() {
    const { isRunning, total, done } = uploads;
    parts.running.hidden = !isRunning;
    progress.max = Math.max(total, 1);
    progress.value = done;
    status.textContent = isRunning
      ? t("{done} of {total} files uploaded", { done, total })
      : plural(uploads.added, "{count} file was added.", "{count} files were added.");
    showRefused();
    if (uploads.added === shown) return;
    shown = uploads.added;
    added();
  }

  function showRefused() {
    parts.refused.hidden = !uploads.refused.length;
    parts.again.hidden = uploads.isRunning || !uploads.refused.some(({ again }) => again);
    if (parts.reasons.children.length === uploads.refused.length) return;
    parts.reasons.replaceChildren(...uploads.refused.map(item));
  }
}

/** @param {import("../../models/uploads.js").Refusal} refusal */
function item({ name, reason }) {
  const element = document.createElement("li");
  const label = document.createElement("bdi");
  label.textContent = name;
  element.append(label, `: ${reason}`);
  return element;
}

/**
 * @param {HTMLElement} button
 * @param {HTMLInputElement} chooser
 * @param {(files: import("../../browser/dropped_files.js").FileWithPath[]) => void} add
 */
function wireChooser(button, chooser, add) {
  button.addEventListener("click", () => chooser.click());
  chooser.addEventListener("change", () => {
    if (chooser.files?.length) add(chosenFiles(chooser.files));
    chooser.value = "";
  });
}
