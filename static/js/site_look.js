/**
 * Entry point of the page on which a site's owner chooses the look of the chat: show each change in the preview. The
 * server keeps what is chosen as a draft, which the preview shows as a website would show it.
 */

import { findElement, findElements } from "./browser/dom.js";

const SETTLE_MS = 500;
const IN_CHAT = /^(header|size|logo|avatar|sound|welcome|starters|texts-\w+-(welcome|starters))/; // names of fields

const form = findElement(document, "form[data-preview]", HTMLFormElement);
const preview = findElement(document, "iframe.look-preview", HTMLIFrameElement);
const problems = findElement(document, "#look-problems", HTMLElement);
const fields = findElements(form, ".picture-field", HTMLElement);
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;
let requests = 0; // only the latest one counts
let message = ""; // the number of the message that is being written, which the preview shows
let language = ""; // of the text that is being written

form.addEventListener("input", ({ target }) => {
  const field = /** @type {HTMLInputElement} */ (target);
  const group = /** @type {HTMLElement | null} */ (field.closest("[data-message]"));
  message = group?.dataset.message ?? message;
  language = field.lang;
  if (group) openInPreview(false);
  else if (IN_CHAT.test(field.name)) openInPreview(true);
  clearTimeout(timer);
  timer = setTimeout(show, SETTLE_MS);
});
for (const each of fields) showPicture(each);
if (form.querySelector(".form-error")) show(); // what was sent is not saved

async function show() {
  const request = ++requests;
  const chosen = new FormData(form);
  chosen.set("message", message);
  const files = fields.map((each) => fileOf(each).files?.[0]);
  const response = await fetch(form.dataset.draft ?? "", { method: "POST", body: chosen }).catch(() => null);
  if (!response?.ok || request !== requests) return; // the next change tries again
  /** @type {{draft: string, pictures: Record<string, string>, problems: string[]}} */
  const found = await response.json();
  problems.replaceChildren(...found.problems.map(item));
  fields.forEach((each, number) => {
    const file = fileOf(each);
    const { name, value } = nameOf(each);
    const stored = found.pictures[name];
    // What is stored is not sent again. A file that was refused stays, with the reason above.
    if (stored && stored !== value && file.files?.[0] === files[number]) {
      nameOf(each).value = stored;
      file.value = "";
      removalOf(each).checked = false;
    }
    showPicture(each);
  });
  const address = `${form.dataset.preview}?${new URLSearchParams({ draft: found.draft, lang: language })}`;
  preview.contentWindow?.location.replace(address); // no entry in the tab's history
}

/** Let the preview show the chat, or only the button, as on the next page of a website: static/widget/w.js. @param {boolean} isOpen */
function openInPreview(isOpen) {
  try {
    sessionStorage.runnel = isOpen ? "1" : "";
  } catch {
    // Storage is blocked: the owner opens the chat.
  }
}

/** @param {HTMLElement} field */
function showPicture(field) {
  const { value } = nameOf(field);
  field.toggleAttribute("data-stored", Boolean(value));
  const picture = findElement(field, "img", HTMLImageElement);
  if (value) picture.src = (field.dataset.pictures ?? "").replace(/name$/, value);
}

/** @param {string} text */
function item(text) {
  const element = document.createElement("li");
  element.textContent = text;
  return element;
}

/** @param {HTMLElement} field */
function fileOf(field) {
  return findElement(field, "input[type=file]", HTMLInputElement);
}

/** @param {HTMLElement} field */
function nameOf(field) {
  return findElement(field, "input[type=hidden]", HTMLInputElement);
}

/** @param {HTMLElement} field */
function removalOf(field) {
  return findElement(field, "input[type=checkbox]", HTMLInputElement);
}
