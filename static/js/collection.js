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
function refresh() {
  return new Promise((resolve) => {
    const done = (/** @type {Event} */ event) => {
      const detail = htmxDetail(event);
      const { status: code } = detail.xhr;
      if ((code >= 400 && code < 500 && code !== 429) || (code && wasRedirected(detail))) poller.stop();
      resolve();
    };
    document.body.addEventListener("htmx:afterRequest", done, { once: true });
    documents().dispatchEvent(new Event("refresh"));
  });
}
