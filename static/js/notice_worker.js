/**
 * Entry point of the service worker, which shows notices of answers for the chat page: on phones, browsers let pages show
 * none themselves. It has no `fetch` handler, and no page is in its scope: see docs/decisions/0032.
 */

import { chatPath, tabOf } from "./lib/answer_notice.js";

/**
 * What this uses of the `ServiceWorkerGlobalScope`: TypeScript's types for workers exclude those for pages.
 * @typedef {object} WorkerScope
 * @property {ServiceWorkerRegistration} registration
 * @property {{ matchAll(options: object): Promise<Tab[]>, openWindow(path: string): Promise<unknown> }} clients
 * @property {(type: string, listener: (event: WorkerEvent) => void) => void} addEventListener
 *
 * @typedef {{ id: string, url: string, focus(): Promise<unknown> }} Tab
 * @typedef {{ waitUntil(work: Promise<unknown>): void, data: NoticeMessage, source: Tab | null, notification: Notification }} WorkerEvent
 * @typedef {import("./browser/notice_worker.js").NoticeMessage} NoticeMessage
 */

const worker = /** @type {WorkerScope} */ (/** @type {unknown} */ (self));

worker.addEventListener("message", (event) => event.waitUntil(show(event)));
worker.addEventListener("notificationclick", (event) => event.waitUntil(open(event.notification)));

/** @param {WorkerEvent} event only pages of this site can send one */
function show({ data: { heading, body, tag, path }, source }) {
  return worker.registration.showNotification(heading, { body, tag, data: { tab: source?.id, path: chatPath(path) } });
}

/** @param {Notification} notice */
async function open(notice) {
  notice.close();
  const tabs = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const tab = tabOf(tabs, notice.data);
  return tab ? tab.focus() : worker.clients.openWindow(notice.data.path);
}
