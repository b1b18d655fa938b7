/** Who gets a notice of an answer, and what it says. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { wireAnswerNotices } from "../../static/js/controllers/chat/answer_notices.js";

/** A page with one running answer, and the notices that it showed. */
function page({ hidden = true, permission = "granted", withTitle = true, isRunning = true, breaks = false } = {}) {
  const shown = [];
  class Notice {
    static permission = permission;
    constructor(heading, { body, tag }) {
      if (breaks) throw new TypeError("Illegal constructor");
      shown.push([heading, body, tag]);
    }
  }
  globalThis.window = { Notification: Notice };
  globalThis.Notification = Notice;
  globalThis.document = { hidden, querySelector: () => ({ textContent: "Rivers" }), getElementById: () => null };
  let listener;
  const chat = { id: "c1", answers: { isRunning }, subscribe: (given) => (listener = given) };
  const hear = wireAnswerNotices(chat, withTitle);
  return { shown, hear, end: (state) => listener.ended({ answer: { state } }) };
}

test("the end of an answer is announced in the background, with or without the title", () => {
  for (const [withTitle, body] of [[true, "Rivers"], [false, ""]]) {
    const { shown, end } = page({ withTitle });
    end("complete");
    assert.deepEqual(shown, [["Your answer is ready", body, "c1"]]);
  }
}); // prettier-ignore

test("nothing is announced to a reader, after a stop, or without permission", () => {
  for (const [options, state] of [[{ hidden: false }, "complete"], [{}, "stopped"], [{ permission: "default" }, "complete"], [{ breaks: true }, "complete"]]) {
    const { shown, end } = page(options);
    end(state);
    assert.deepEqual(shown, []);
  }
}); // prettier-ignore

test("a tab that reads no stream hears of its own running answer only", () => {
  const hint = { kind: "answer", conversation: "c1", tab: "t" };
  for (const [options, heard, count] of [
    [{}, hint, 1],
    [{ isRunning: false }, hint, 0],
    [{}, { ...hint, conversation: "c2" }, 0],
    [{}, { ...hint, kind: "turn" }, 0],
    [{}, null, 0],
  ]) {
    const { shown, hear } = page(options);
    hear(heard);
    assert.equal(shown.length, count);
  }
});
