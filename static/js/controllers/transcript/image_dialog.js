/** Show an image of a question large, in a dialog; loaded on demand. */

import { t } from "../../lib/i18n.js";

/** @param {HTMLAnchorElement} link the thumbnail */
export function showImage(link) {
  const dialog = document.createElement("dialog");
  const close = document.createElement("button");
  const original = document.createElement("a");
  const download = document.createElement("a");
  const image = document.createElement("img");
  const bar = document.createElement("div");
  const name = link.querySelector("img")?.alt ?? "";
  dialog.className = "image-dialog";
  dialog.setAttribute("aria-label", name || t("Image"));
  image.className = "image-dialog-picture";
  image.src = link.href;
  image.alt = name;
  bar.className = "button-row";
  original.className = "button";
  original.href = link.href;
  original.target = "_blank";
  original.rel = "noopener";
  original.textContent = t("Open in a new tab");
  download.className = "button";
  download.href = link.href;
  download.download = "";
  download.textContent = t("Download");
  close.type = "button";
  close.className = "button";
  close.autofocus = true;
  close.textContent = t("Close");
  close.addEventListener("click", () => dialog.close());
  if (!link.href.startsWith("data:")) bar.append(original); // browsers open no tab with one
  bar.append(download, close);
  dialog.append(image, bar);
  dialog.addEventListener("click", ({ target }) => {
    if (target === dialog) dialog.close(); // on the backdrop
  });
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
