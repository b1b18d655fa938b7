/** The service worker shows notices and opens their chats, and does nothing else. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { chatPath, tabOf } from "../../static/js/lib/answer_notice.js";

const CHAT = "/chat/7f1c0a9e-0000-4000-8000-000000000001/";
const listeners = {};
const shown = [];
const opened = [];
let tabs = [];

globalThis.self = {
  addEventListener: (type, listener) => (listeners[type] = listener),
  registration: { showNotification: async (heading, options) => shown.push([heading, options]) },
  clients: { matchAll: async () => tabs, openWindow: async (path) => opened.push(path) },
};
await import("../../static/js/notice_worker.js");

/** Send an event, and wait for what it starts. */
async function dispatch(type, event) {
  let work;
  listeners[type]({ ...event, waitUntil: (given) => (work = given) });
  await work;
}

const tab = (id, path, focused = []) => ({ id, url: `https://chat.example${path}`, focus: async () => focused.push(id), focused });

test("the worker listens for messages and clicks only, so no request passes through it", () => {
  assert.deepEqual(Object.keys(listeners).sort(), ["message", "notificationclick"]);
});

test("a notice has the text that the page gave, and leads to its tab", async () => {
  const data = { heading: "Your answer is ready", body: "Rivers", tag: "c1", path: CHAT };
  await dispatch("message", { data, source: tab("t1", "/chat/") });
  const [[heading, options]] = shown;
  assert.equal(heading, "Your answer is ready");
  assert.deepEqual(options, { body: "Rivers", tag: "c1", data: { tab: "t1", path: CHAT } });
});

test("a click closes the notice and focuses the tab, or opens the chat if it is closed", async () => {
  let closed = 0;
  const notification = { data: { tab: "t1", path: CHAT }, close: () => closed++ };
  tabs = [tab("t0", "/chat/"), tab("t1", "/chat/")]; // a new chat in both: only the ID tells which
  await dispatch("notificationclick", { notification });
  assert.deepEqual([tabs[0].focused, tabs[1].focused, opened], [[], ["t1"], []]);
  tabs = [tab("t0", "/chat/"), tab("t2", "/settings/")];
  await dispatch("notificationclick", { notification });
  assert.deepEqual([tabs[0].focused, tabs[1].focused, opened], [[], [], [CHAT]]);
  assert.equal(closed, 2);
});

test("another tab with the chat is as good", () => {
  const other = tab("t2", `${CHAT}?at=5#m5`);
  assert.equal(tabOf([tab("t0", "/chat/"), other], { tab: "gone", path: CHAT }), other);
});

test("a notice leads to a chat of this site only", () => {
  for (const path of [CHAT, "/chat/", "/chat/temporary/"]) assert.equal(chatPath(path), path);
  for (const path of ["//evil.example/", "https://evil.example/chat/", "/settings/", "/chat/../admin/", "/chat/a/b/", "javascript:1", undefined])
    assert.equal(chatPath(path), "/chat/");
});
