/** Install, use and remove the service worker that shows notices (static/js/notice_worker.js). */

import { NOTICE_WORKER_SCOPE, NOTICE_WORKER_URL } from "../api/urls.js";

/**
 * @typedef {object} NoticeMessage
 * @property {string} heading
 * @property {string} body
 * @property {string} tag a later notice with the same tag replaces this one
 * @property {string} path of the chat, which a click opens
 */

/** Whether the browser can show notices. Without HTTPS, and on iPhones outside of an installed app, it can't. */
export const canShowNotices = () => "Notification" in window && "serviceWorker" in navigator;

/** @type {TrustedScriptURL | string | undefined} */
let script;

/**
 * Install the worker, or its new version.
 * @returns {Promise<ServiceWorkerRegistration | null>} null if the browser refuses, as some do in private windows
 */
export async function installNoticeWorker() {
  try {
    const registration = await navigator.serviceWorker.register(/** @type {string} */ (scriptUrl()));
    registration.update().catch(() => {}); // offline, for example: the next page tries again
    return registration;
  } catch {
    return null;
  }
}

/** The policy allows one URL, whatever it is asked for. */
function scriptUrl() {
  const policy = script ? null : window.trustedTypes?.createPolicy("notice-worker", { createScriptURL: (_url) => NOTICE_WORKER_URL });
  return (script ??= policy?.createScriptURL("") ?? NOTICE_WORKER_URL);
}

/** Remove the worker and its notices, if there is one. */
export async function removeNoticeWorker() {
  const registration = await installed();
  await registration?.unregister();
}

/** @param {NoticeMessage} message */
export async function showNotice(message) {
  const registration = await installed();
  if (registration) (await whenActive(registration)).postMessage(message);
}

/** @param {string} tag */
export async function closeNotices(tag) {
  const registration = await installed();
  for (const notice of (await registration?.getNotifications({ tag })) ?? []) notice.close();
}

async function installed() {
  try {
    return await navigator.serviceWorker?.getRegistration(NOTICE_WORKER_SCOPE);
  } catch {
    return undefined; // the browser blocks this site's storage
  }
}

/** @param {ServiceWorkerRegistration} registration @returns {Promise<ServiceWorker>} */
function whenActive({ active, waiting, installing }) {
  if (active) return Promise.resolve(active);
  return new Promise((resolve) => {
    const coming = waiting ?? installing;
    coming?.addEventListener("statechange", () => coming.state === "activated" && resolve(coming));
  });
}
