/** Entry point of a collection's page: sends files, and shows what has become of them while they are indexed. */

import "./htmx_policy.js";
import { browserEnv } from "./browser/browser_env.js";
import { refreshCsrfFields } from "./browser/csrf_fields.js";
import { elementById } from "./browser/dom.js";
import { Poller } from "./browser/poller.js";
import { wireUploadForm } from "./controllers/collections/upload_form.js";
import { configureHtmx, htmxDetail, wasRedirected } from "./htmx_requests.js";

const EVERY_MS = 2500;

const form = document.getElementById("add-documents");
const status = document.getElementById("upload-status");

refreshCsrfFields();
configureHtmx({ hint: (words) => status && (status.textContent = words) });
const poller = new Poller(refresh, () => (documents().dataset.pending === "0" ? 0 : EVERY_MS));
if (form instanceof HTMLFormElement) wireUploadForm(form, browserEnv, () => poller.poll());

/** The list, which htmx replaces. */
function documents() {
  return elementById("documents", HTMLElement);
}

/** Ask for the list, until the reader may see it no more. @returns {Promise<void>} */
async function refresh() {
  const { xhr, successful, pathInfo } = await request();
  const isRefused = xhr.status >= 400 && xhr.status < 500 && xhr.status !== 429;
  if (isRefused || (successful && wasRedirected({ xhr, pathInfo }))) poller.stop();
}

/** @returns {Promise<import("./htmx_requests.js").Ended & {successful: boolean}>} what became of it, once htmx has wired the new list */
function request() {
  const { body } = document;
  return new Promise((resolve) => {
    const settled = (/** @type {Event} */ event) => done(event);
    const ended = (/** @type {Event} */ event) => {
      const detail = htmxDetail(event);
      if (!detail.successful || wasRedirected(detail)) done(event); // there is no new list
    };
    const done = (/** @type {Event} */ event) => {
      body.removeEventListener("htmx:afterSettle", settled);
      body.removeEventListener("htmx:afterRequest", ended);
      resolve(htmxDetail(event));
    };
    body.addEventListener("htmx:afterSettle", settled);
    body.addEventListener("htmx:afterRequest", ended);
    documents().dispatchEvent(new Event("refresh"));
  });
}
