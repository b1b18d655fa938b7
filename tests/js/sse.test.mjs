/** The decoder with the same cases as chat/lib/sse.py, split at every position. */

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";

import { EventTooLong, SseDecoder } from "../../static/js/lib/sse.js";

const FOLDER = new URL("../fixtures/sse/", import.meta.url);
const cases = readdirSync(FOLDER)
  .filter((name) => name.endsWith(".json"))
  .flatMap((name) => JSON.parse(readFileSync(new URL(name, FOLDER), "utf8")));

function decode(chunks) {
  const decoder = new SseDecoder();
  const events = chunks.flatMap((chunk) => decoder.feed(chunk));
  return { events, retry: decoder.retryMilliseconds };
}

for (const { name, raw_b64: raw, events, retry } of cases) {
  test(name, () => {
    const bytes = new Uint8Array(Buffer.from(raw, "base64"));
    const expected = { events, retry };
    assert.deepEqual(decode([bytes]), expected);
    assert.deepEqual(decode(Array.from(bytes, (byte) => Uint8Array.of(byte))), expected);
    for (let cut = 1; cut < bytes.length; cut++) {
      const halves = [bytes.subarray(0, cut), bytes.subarray(cut)];
      assert.deepEqual(decode(halves), expected, `cut at ${cut}`);
    }
  });
}

test("the fixtures exist", () => assert.ok(cases.length >= 26));

test("an event that grows beyond the limit is refused", () => {
  const line = new TextEncoder().encode("data: 123456789\n");
  assert.throws(() => new SseDecoder(15).feed(Uint8Array.of(...line, ...line)), EventTooLong);
});

test("each event may be as long as the limit", () => {
  const event = new TextEncoder().encode("data: 12345678901234\n\n");
  const decoder = new SseDecoder(15);
  for (let count = 0; count < 3; count++) assert.equal(decoder.feed(event).length, 1);
});

test("an endless line is refused, however it is split", () => {
  const decoder = new SseDecoder(15);
  const byte = new TextEncoder().encode("x");
  assert.throws(() => {
    for (let i = 0; i < 100; i++) decoder.feed(byte);
  }, EventTooLong);
});
