/** The editor of a question, shown in its place. */

import { isComposing } from "../../browser/ime.js";
import { isTouch } from "../../browser/touch.js";
import { joinFiles, splitFiles } from "../../lib/text_files.js";
import { AttachmentList } from "../composer/attachment_list.js";
import { cloneTemplate, showText } from "../ui/template_parts.js";

const MAX_ROWS = 12;

/**
 * Open the editor of a question, or show the one that is open.
 * @param {HTMLElement} question
 * @param {string} text
 * @param {object} options
 * @param {string} options.problem what went wrong with this text
 * @param {boolean} options.isAsked whether the editor gets the focus
 * @param {boolean} options.sendsOnEnter
 * @param {(text: string | null) => void} options.written gets the text after each change; null when it is discarded
 * @param {(text: string) => boolean} options.save sends the text; returns whether it was sent
 */
export function openEditor(question, text, { problem, isAsked, sendsOnEnter, written: keep, save }) {
  const open = /** @type {HTMLTextAreaElement | null} */ (question.querySelector(".editor textarea"));
  if (open) {
    open.focus();
    return;
  }
  const { root, parts } = cloneTemplate("editor-template");
  const area = /** @type {HTMLTextAreaElement} */ (parts.area);
  const attachments = new AttachmentList(parts.attachments, changed);
  const { text: written, files } = splitFiles(text);
  area.value = files.length ? written.trimEnd() : written;
  attachments.show(files);
  showText(parts.problem, problem);
  question.append(root);
  question.toggleAttribute("data-editing", true);
  fit(area);
  if (isAsked) focusAtEnd(area);

  root.addEventListener("submit", (event) => {
    event.preventDefault();
    const message = joinFiles(area.value, attachments.files);
    if (message.trim()) save(message);
  });
  area.addEventListener("input", () => {
    changed();
    fit(area);
  });
  parts.cancel.addEventListener("click", close);
  root.addEventListener("keydown", (event) => {
    if (isComposing(event)) return;
    if (event.key === "Escape") close();
    else if (event.target === area && isMeant(event)) /** @type {HTMLFormElement} */ (root).requestSubmit();
    else return;
    event.preventDefault();
  });

  function changed() {
    keep(joinFiles(area.value, attachments.files));
  }

  function close() {
    keep(null);
    root.remove();
    question.removeAttribute("data-editing");
    /** @type {HTMLElement | null} */ (question.querySelector('[data-part="edit"]'))?.focus();
  }

  /** @param {KeyboardEvent} event */
  function isMeant({ key, shiftKey, altKey, ctrlKey, metaKey }) {
    if (key !== "Enter" || shiftKey || altKey) return false;
    return ctrlKey || metaKey || (sendsOnEnter && !isTouch());
  }
}

/** @param {HTMLTextAreaElement} area */
function focusAtEnd(area) {
  area.focus();
  area.setSelectionRange(area.value.length, area.value.length);
  area.scrollIntoView({ block: "nearest" });
}

/** Adapt the height to the text in browsers without `field-sizing`. @param {HTMLTextAreaElement} area */
function fit(area) {
  if (CSS.supports("field-sizing", "content")) return;
  area.rows = Math.min(MAX_ROWS, Math.max(2, area.value.split("\n").length));
}
