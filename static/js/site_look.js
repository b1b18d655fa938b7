/** Entry point of the page on which a site's owner chooses the look of the chat: show each change in the preview. */

import { findElement } from "./browser/dom.js";

const SETTLE_MS = 300;

const form = findElement(document, "form[data-preview]", HTMLFormElement);
const preview = findElement(document, "iframe.look-preview", HTMLIFrameElement);
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

form.addEventListener("input", () => {
  clearTimeout(timer);
  timer = setTimeout(show, SETTLE_MS);
});
show();

function show() {
  const chosen = [...new FormData(form)].filter(([name]) => name !== "csrfmiddlewaretoken");
  const query = new URLSearchParams(/** @type {[string, string][]} */ (chosen));
  preview.contentWindow?.location.replace(`${form.dataset.preview}?${query}`); // no entry in the tab's history
}
