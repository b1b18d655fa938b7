/** A refused message is sent once the wait is over, unless it was changed meanwhile. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { DelayedSend } from "../../static/js/models/delayed_send.js";

const NOW = 1_000_000;

test("it waits, and is then sent", () => {
  const delayed = new DelayedSend("Hello", 12, NOW);
  assert.equal(delayed.secondsLeft(NOW + 100), 12);
  assert.equal(delayed.step("Hello", NOW + 11_999), "wait");
  assert.equal(delayed.step("Hello", NOW + 12_000), "send");
  assert.equal(delayed.secondsLeft(NOW + 13_000), 0);
});

for (const [what, text, after] of [
  ["a change of the text", "Hello!", 5],
  ["a text that was sent or deleted", "", 12],
  ["a device that was asleep", "Hello", 3600],
]) {
  test(`${what} cancels it`, () => {
    assert.equal(new DelayedSend("Hello", 12, NOW).step(text, NOW + after * 1000), "cancel");
  });
}

for (const [seconds, expected] of [[0, false], [1, true], [60, true], [61, false]]) {
  test(`after a wait of ${seconds} s it is ${expected ? "" : "not "}sent by itself`, () => {
    assert.equal(new DelayedSend("Hello", seconds, NOW).isAutomatic, expected);
  });
}

test("it is sent by itself at most three times", () => {
  let last = null;
  const again = (text) => (last = new DelayedSend(text, 5, NOW, last)).isAutomatic;
  assert.deepEqual(["a", "a", "a", "a", "b"].map(again), [true, true, true, false, true]);
});
