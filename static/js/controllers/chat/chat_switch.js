/**
 * Show another chat without loading a page, so that the sidebar keeps its place: fetch the chat's page, and put its header
 * and main part in place of the current ones. The browser reports every way there, with its Navigation API: links,
 * commands, Back and Forward. Without it, or if anything is unusual, the page is loaded.
 */

import { findElement } from "../../browser/dom.js";

const CHAT = /^\/chat\/(?:[\da-f-]{36}\/)?$/;
/** Parameters of a chat's URL that name its branch, words to show, and the tag by which the list is filtered. */
const FAMILIAR = new Set(["at", "text", "tag"]);
/** What depends on the chat. */
const CHANGING = [".chat-head", ".site-header-end", "#main"];
/** Elements in it that don't: they have a state, or were wired once. */
const LASTING = ["emulator", "toast", "offline", "limit-notice", "hint", "model-picker", "allowance", "model-menu"];

/** @typedef {import("./reading_place.js").Place} Place */

/**
 * @param {object} steps
 * @param {() => Place | null} steps.place where the reader is: the history keeps it for the way back
 * @param {() => void} steps.leave leaves the current chat
 * @param {(model: string, place?: Place | null) => void} steps.show wires the new elements; gets the model that its page has chosen
 */
export function wireChatSwitch({ place, leave, show }) {
  /** @type {NavigateEvent | undefined} */
  let newest;
  let loading = new AbortController();
  window.navigation?.addEventListener("navigate", (event) => {
    if (event.hashChange || event.downloadRequest !== null) return;
    newest = event;
    loading.abort();
    loading = new AbortController();
    if (!isToChat(event)) return;
    keepPlace();
    event.intercept({ handler: () => follow(event), focusReset: "manual", scroll: "manual" });
  });
  addEventListener("pagehide", keepPlace);

  function keepPlace() {
    if (!window.navigation) return;
    window.navigation.updateCurrentEntry({ state: place() });
    history.scrollRestoration = "manual"; // of this entry: the browser's own place would be wrong
  }

  /** @param {NavigateEvent} event */
  async function follow(event) {
    // Not the event's signal: it is aborted before the next event says that another page is on its way.
    const coming = loadPage(event.destination.url, loading.signal);
    leave();
    const page = await coming;
    if (newest !== event) return; // another page is on its way
    if (!page || !fits(page)) {
      location.reload(); // it says what is wrong
      return;
    }
    const model = findElement(page, "#model", HTMLSelectElement).value;
    putInPlace(page);
    show(model, /** @type {Place | null | undefined} */ (event.destination.getState()));
  }
}

/** @param {NavigateEvent} event */
function isToChat({ canIntercept, destination, formData, navigationType }) {
  if (!canIntercept || formData) return false;
  if (navigationType === "traverse") return destination.sameDocument;
  if (navigationType === "reload" || destination.sameDocument) return false; // `sameDocument`: only the URL changes
  const { pathname, searchParams } = new URL(destination.url);
  return CHAT.test(pathname) && [...searchParams.keys()].every((name) => FAMILIAR.has(name));
}

/**
 * Unlike strings, a document from the browser needs no exception from Trusted Types; its scripts don't run.
 * @param {string} url
 * @param {AbortSignal} signal
 * @returns {Promise<Document | null>} null unless exactly this page is there
 */
function loadPage(url, signal) {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open("GET", url);
    request.responseType = "document";
    request.setRequestHeader("Accept", "text/html");
    request.onloadend = () => {
      const isIt = request.status === 200 && new URL(request.responseURL).pathname === new URL(url).pathname;
      resolve(isIt ? request.responseXML : null);
    };
    signal.addEventListener("abort", () => request.abort());
    request.send();
  });
}

/** Whether it is a page of the same user, language and version of the site. @param {Document} page */
function fits(page) {
  const facts = (/** @type {Document} */ { documentElement, scripts }) => {
    const main = documentElement.querySelector("main");
    const own = Array.from(scripts, ({ type, src }) => (type === "module" ? src : ""));
    return [documentElement.lang, main?.dataset.member, main?.dataset.temporary, ...own].join(" ");
  };
  return facts(page) === facts(document);
}

/** @param {Document} page */
function putInPlace(page) {
  for (const each of page.querySelectorAll("noscript")) each.remove(); // its content is elements in this document
  for (const id of LASTING) {
    const lasting = document.getElementById(id);
    if (lasting) page.getElementById(id)?.replaceWith(lasting);
  }
  for (const selector of CHANGING) {
    const changed = page.querySelector(selector);
    if (changed) document.querySelector(selector)?.replaceWith(changed);
  }
  document.title = page.title;
}
