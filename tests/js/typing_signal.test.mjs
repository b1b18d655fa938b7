import assert from "node:assert/strict";
import { mock, test } from "node:test";

import { TypingSignal } from "../../static/js/browser/typing_signal.js";

/** A message box, and how often somebody began to type into it. */
function box() {
  const field = Object.assign(new EventTarget(), { value: "" });
  const began = mock.fn();
  const signal = new TypingSignal(/** @type {any} */ (field), began);
  const type = (/** @type {string} */ text) => {
    field.value = text;
    field.dispatchEvent(new Event("input"));
  };
  return { signal, type, began };
}

test("it tells once that somebody has stopped, and nothing while nobody types", (context) => {
  context.mock.timers.enable({ apis: ["Date"], now: 10_000 });
  const { signal, type, began } = box();
  assert.equal(signal.next(), "");
  type("H");
  type("Hi");
  assert.equal(began.mock.callCount(), 1);
  assert.deepEqual([signal.next(), signal.next()], ["1", "1"]);
  context.mock.timers.tick(4000);
  assert.deepEqual([signal.next(), signal.next()], ["0", ""]);
  type("Hi there");
  assert.equal(began.mock.callCount(), 2);
});

test("an emptied box is typed into by nobody", () => {
  const { signal, type } = box();
  type("Hi");
  assert.equal(signal.next(), "1");
  type("  ");
  assert.equal(signal.next(), "0");
});
