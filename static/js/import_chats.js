/** Entry point of the import page: shows how many chats are imported, then what was imported and what wasn't. */

import { isEventStream, isJson } from "./api/responses.js";
import { refreshCsrfFields } from "./browser/csrf_fields.js";
import { elementById, findElement } from "./browser/dom.js";
import { SseDecoder } from "./lib/sse.js";

/**
 * @typedef {{words: string, url?: string}} Line
 * @typedef {{words: string, chats: Line[], refused: Line[], left_out: Line[]}} Result
 * @typedef {{words?: string, done?: number, total?: number, problem?: string, result?: Result}} Step
 */

const form = elementById("import-form", HTMLFormElement);
const chosen = findElement(form, "input[type=file]", HTMLInputElement);
const problem = elementById("import-problem", HTMLElement);
const progress = elementById("import-progress", HTMLElement);
const bar = findElement(progress, "progress", HTMLProgressElement);
const status = elementById("import-status", HTMLElement);
const result = elementById("import-result", HTMLElement);
const sources = elementById("import-sources", HTMLElement);

/** @param {boolean} isRunning */
function showRunning(isRunning) {
  form.hidden = isRunning;
  sources.hidden = isRunning;
  progress.hidden = !isRunning;
  bar.removeAttribute("value");
  status.textContent = isRunning ? (form.dataset.working ?? "") : "";
}

/** @param {string} words */
function fail(words) {
  showRunning(false);
  problem.textContent = words;
  problem.hidden = !words;
}

/** @param {Line} line */
function item({ words, url }) {
  const element = document.createElement("li");
  const text = url ? document.createElement("a") : element;
  if (text instanceof HTMLAnchorElement && url) text.href = url;
  text.textContent = words;
  text.dir = "auto";
  if (text !== element) element.append(text);
  return element;
}

/** @param {Result} found */
function showResult(found) {
  progress.hidden = true;
  result.hidden = false;
  for (const name of /** @type {const} */ (["refused", "left_out", "chats"])) {
    const part = findElement(result, `[data-part=${name}]`, HTMLElement);
    part.hidden = !found[name].length;
    const list = document.createElement("ul");
    list.append(...found[name].map(item));
    part.append(list);
  }
  const summary = elementById("import-summary", HTMLElement);
  summary.textContent = found.words;
  summary.focus();
}

/** @param {Step} step @returns {boolean} whether it was the last one */
function show(step) {
  if (step.result) showResult(step.result);
  else if (step.problem) fail(step.problem);
  else {
    status.textContent = step.words ?? "";
    bar.max = step.total ?? 1;
    bar.value = step.done ?? 0;
    return false;
  }
  return true;
}

/** @param {Response} response @returns {Promise<boolean>} whether the last step was read */
async function follow(response) {
  const reader = /** @type {ReadableStream<Uint8Array>} */ (response.body).getReader();
  const decoder = new SseDecoder();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return false;
    for (const event of decoder.feed(value)) {
      if (show(JSON.parse(event.data))) return true;
    }
  }
}

async function send() {
  const body = new FormData(form);
  fail("");
  showRunning(true);
  const response = await fetch(form.action, { method: "POST", body, headers: { Accept: "text/event-stream" } });
  if (isEventStream(response)) {
    if (!(await follow(response))) throw new Error("the stream ended early");
  } else if (isJson(response)) {
    const { problem: words, error } = await response.json();
    fail(words ?? error?.message ?? form.dataset.failed);
  } else if (response.redirected) {
    location.assign(response.url); // to sign in, or because the file is too large to be read at all
  } else {
    throw new Error(`unexpected response ${String(response.status)}`);
  }
}

/** Say that the files are too large before they are sent, which may take minutes. @returns {boolean} */
function areTooLarge() {
  const bytes = [...(chosen.files ?? [])].reduce((sum, file) => sum + file.size, 0);
  const isTooMuch = bytes > Number(form.dataset.mostBytes);
  fail((isTooMuch && form.dataset.tooLarge) || "");
  return isTooMuch;
}

refreshCsrfFields();
chosen.addEventListener("change", areTooLarge);
form.addEventListener("submit", (event) => {
  event.preventDefault();
  if (areTooLarge()) return;
  send().catch(() => fail(form.dataset.failed ?? ""));
});
