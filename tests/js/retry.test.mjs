import assert from "node:assert/strict";
import { test } from "node:test";

import { Backoff } from "../../static/js/lib/retry.js";

function waits(count, options) {
  const backoff = new Backoff({ firstMs: 100, longestMs: 1000, now: () => 0, ...options });
  return Array.from({ length: count }, () => backoff.next());
}

test("waits double up to the longest", () => {
  assert.deepEqual(waits(6, { random: () => 1 }), [100, 200, 400, 800, 1000, 1000]);
});

test("jitter takes away up to half of a wait", () => {
  assert.deepEqual(waits(3, { random: () => 0 }), [50, 100, 200]);
});

test("a success starts over", () => {
  const backoff = new Backoff({ firstMs: 100, random: () => 1, now: () => 0 });
  backoff.next();
  backoff.next();
  backoff.reset();
  assert.equal(backoff.next(), 100);
});

test("it gives up when the last success is too long ago", () => {
  let now = 0;
  const backoff = new Backoff({ patienceMs: 5000, random: () => 1, now: () => now });
  now = 4999;
  assert.notEqual(backoff.next(), null);
  now = 5000;
  assert.equal(backoff.next(), null);
  backoff.reset();
  assert.notEqual(backoff.next(), null);
});
