/** Who gets a notice of an answer, and what it says. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { wireAnswerNotices } from "../../static/js/controllers/chat/answer_notices.js";

/** A page with one running answer, and a worker with the notices that it was asked for. */
function page({ hidden = true, permission = "granted", withTitle = true, isRunning = true, hasWorker = true, isBlocked = false } = {}) {
  const shown = [];
  const installed = [];
  const closed = [];
  const registration = {
    active: { postMessage: (message) => shown.push(message) },
    update: async () => {},
    getNotifications: async ({ tag }) => [{ close: () => closed.push(tag) }],
  };
  const serviceWorker = {
    async register(url) {
      if (isBlocked) throw new DOMException("Not here", "SecurityError");
      installed.push(url);
      return registration;
    },
    async getRegistration() {
      if (isBlocked) throw new DOMException("Not here", "SecurityError");
      return hasWorker ? registration : undefined;
    },
  };
  globalThis.window = { Notification: { permission } };
  globalThis.Notification = window.Notification;
  Object.defineProperty(globalThis, "navigator", { value: { serviceWorker }, configurable: true });
  globalThis.location = { pathname: "/chat/c1/" };
  globalThis.document = Object.assign(new EventTarget(), { hidden, querySelector: () => ({ textContent: "Rivers" }), getElementById: () => null });
  let listener;
  const chat = { id: "c1", answers: { isRunning }, subscribe: (given) => (listener = given) };
  const hear = wireAnswerNotices(chat, withTitle);
  const settled = async () => {
    for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
    return { shown, installed, closed };
  };
  const open = (id) => (chat.id = id);
  return { hear, open, accept: () => listener.accepted(), end: (state, tools = []) => listener.ended({ answer: { state, tools } }), settled };
}

test("the end of an answer is announced in the background, with or without the title", async () => {
  for (const [withTitle, body] of [[true, "Rivers"], [false, ""]]) {
    const { settled, end } = page({ withTitle });
    end("complete");
    assert.deepEqual((await settled()).shown, [{ heading: "Your answer is ready", body, tag: "c1", path: "/chat/c1/" }]);
  }
}); // prettier-ignore

test("an answer that waits for a permission says so", async () => {
  const { settled, end } = page({ withTitle: false });
  end("complete", [{ state: "done" }, { state: "proposed" }]);
  assert.equal((await settled()).shown[0].heading, "Your permission is needed");
});

test("nothing is announced to a reader, after a stop, or without permission or a worker", async () => {
  for (const [options, state] of [[{ hidden: false }, "complete"], [{}, "stopped"], [{ permission: "default" }, "complete"], [{ hasWorker: false }, "complete"], [{ isBlocked: true }, "complete"]]) {
    const { settled, end } = page(options);
    end(state);
    assert.deepEqual((await settled()).shown, []);
  }
}); // prettier-ignore

test("a tab that reads no stream hears of a permission, also in a chat that it has left", async () => {
  const { settled, accept, hear, open } = page();
  hear({ kind: "permission", conversation: "c1", tab: "t" });
  accept();
  open("c2");
  hear({ kind: "permission", conversation: "c1", tab: "t" });
  hear({ kind: "permission", conversation: "c3", tab: "t" });
  const heading = "Your permission is needed";
  assert.deepEqual((await settled()).shown, [
    { heading, body: "Rivers", tag: "c1", path: "/chat/c1/" },
    { heading, body: "Rivers", tag: "c1", path: "/chat/c1/" },
  ]);
});

test("the page installs the worker only with the permission", async () => {
  assert.deepEqual((await page().settled()).installed, ["/chat/notices/worker.js"]);
  assert.deepEqual((await page({ permission: "default" }).settled()).installed, []);
});

test("the notice goes away when the reader comes back", async () => {
  const { settled } = page();
  document.dispatchEvent(new Event("visibilitychange"));
  assert.deepEqual((await settled()).closed, []);
  document.hidden = false;
  document.dispatchEvent(new Event("visibilitychange"));
  assert.deepEqual((await settled()).closed, ["c1"]);
});

test("a tab that reads no stream hears of its own running answer only", async () => {
  const hint = { kind: "answer", conversation: "c1", tab: "t" };
  for (const [options, heard, count] of [
    [{}, hint, 1],
    [{ isRunning: false }, hint, 0],
    [{}, { ...hint, conversation: "c2" }, 0],
    [{}, { ...hint, kind: "turn" }, 0],
    [{}, null, 0],
  ]) {
    const { settled, hear } = page(options);
    hear(heard);
    assert.equal((await settled()).shown.length, count);
  }
});
