/** The files of a question: text files folded, with contents made when they are opened, and images as thumbnails. */

import { fileUrl, imageUrl } from "../../api/urls.js";
import { onDemand } from "../../browser/on_demand.js";
import { writeText } from "../../browser/write_text.js";
import { formatKilobytes } from "../../lib/formatting.js";
import { imagesInTab } from "../../models/tab_images.js";

/** A smaller file is shown as this large: 0.1 kB. */
const SMALLEST_BYTES = 103;
const offering = onDemand("original_link");

/** @typedef {import("../../lib/text_files.js").AttachedFile} AttachedFile */

/**
 * How a visitor of a website gets images; null for members.
 * @type {{fetch: typeof fetch, show: (picture: HTMLImageElement, url: string) => void} | null}
 */
let visitor = null;

/** @param {NonNullable<typeof visitor>} asVisitor */
export function attachAsVisitor(asVisitor) {
  visitor = asVisitor;
}

/** @param {AttachedFile[]} files @returns {HTMLElement} */
export function attachmentsElement(files) {
  const list = document.createElement("div");
  list.className = "attachments";
  list.append(...files.map((file) => (file.image ? thumbnail(file) : attachment(file))));
  return list;
}

/** An image as a link, which image_opener.js opens in a dialog. @param {AttachedFile} file */
function thumbnail({ name, image = "" }) {
  const link = document.createElement("a");
  const picture = document.createElement("img");
  link.className = "image-thumb";
  picture.loading = "lazy"; // before the address
  picture.alt = name;
  link.append(picture);
  if (visitor) visitor.show(picture, imageUrl(image));
  else link.href = picture.src = imagesInTab()?.find(image)?.url ?? imageUrl(image);
  return link;
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
function open(details, { content, name, original }) {
  const text = document.createElement("pre");
  text.tabIndex = 0;
  text.dir = "auto";
  writeText(text, content);
  details.append(text);
  if (original && !visitor) offering().then((module) => module?.offerOriginal(text, fileUrl(original), name));
}

/** Return what is seen of a file: its kind, or the image itself, name and size. @param {AttachedFile} file */
export function factsOf(file) {
  if (file.image) return imageFacts(file);
  return [piece("attachment-kind", kindOf(file.name)), piece("truncate", file.name), piece("attachment-size", sizeOf(file))];
}

/** @param {AttachedFile} file */
function imageFacts(file) {
  const inTab = imagesInTab()?.find(file.image ?? "");
  const size = piece("attachment-size", inTab ? formatKilobytes(inTab.bytes) : "");
  if (inTab) return [thumbnail(file), piece("truncate", file.name), size];
  const response = (visitor ?? window).fetch(imageUrl(file.image ?? ""), { method: "HEAD" });
  response.then(({ headers }) => (size.textContent = formatKilobytes(Number(headers.get("Content-Length"))))).catch(() => {});
  return [thumbnail(file), piece("truncate", file.name), size];
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
  return formatKilobytes(Math.max(SMALLEST_BYTES, new TextEncoder().encode(content).length));
}
