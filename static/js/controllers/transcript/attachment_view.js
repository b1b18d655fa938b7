/** The files of a question, folded; their contents are made when they are opened. */

import { locale } from "../../lib/i18n.js";

/** @typedef {import("../../lib/text_files.js").AttachedFile} AttachedFile */

/** @param {AttachedFile[]} files @returns {HTMLElement} */
export function attachmentsElement(files) {
  const list = document.createElement("div");
  list.className = "attachments";
  list.append(...files.map(attachment));
  return list;
}

/** @param {AttachedFile} file */
function attachment(file) {
  const details = document.createElement("details");
  details.className = "attachment";
  const summary = document.createElement("summary");
  summary.append(...factsOf(file));
  details.append(summary);
  details.addEventListener("toggle", () => open(details, file), { once: true });
  return details;
}

/** @param {HTMLElement} details @param {AttachedFile} file */
function open(details, { content }) {
  const text = document.createElement("pre");
  text.tabIndex = 0;
  text.dir = "auto";
  text.textContent = content;
  details.append(text);
}

/** Return what is seen of a file: its kind, name and size. @param {AttachedFile} file */
export function factsOf(file) {
  return [piece("attachment-kind", kindOf(file.name)), piece("truncate", file.name), piece("attachment-size", sizeOf(file))];
}

/** @param {string} className @param {string} text */
function piece(className, text) {
  const element = document.createElement("bdi");
  element.className = className;
  element.textContent = text;
  if (className === "attachment-kind") element.setAttribute("aria-hidden", "true");
  return element;
}

/** What stands in place of a picture. @param {string} name */
function kindOf(name) {
  return /\.([a-z0-9]{1,4})$/i.exec(name)?.[1].toUpperCase() ?? "TXT";
}

/** @param {AttachedFile} file */
function sizeOf({ content }) {
  const kilobytes = Math.max(0.1, new TextEncoder().encode(content).length / 1024);
  return new Intl.NumberFormat(locale, { style: "unit", unit: "kilobyte", maximumFractionDigits: 1 }).format(kilobytes);
}
