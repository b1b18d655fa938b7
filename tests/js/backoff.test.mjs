import assert from "node:assert/strict";
import { test } from "node:test";

import { Backoff } from "../../static/js/lib/backoff.js";

function waits(count, options) {
  const backoff = new Backoff({ firstMs: 100, longestMs: 1000, ...options });
  return Array.from({ length: count }, () => backoff.next());
}

test("waits double up to the longest", () => {
  assert.deepEqual(waits(6, { random: () => 1 }), [100, 200, 400, 800, 1000, 1000]);
});

test("jitter shortens a wait by up to half", () => {
  assert.deepEqual(waits(3, { random: () => 0 }), [50, 100, 200]);
});

test("a success starts over", () => {
  const backoff = new Backoff({ firstMs: 100, random: () => 1 });
  backoff.next();
  backoff.next();
  backoff.reset();
  assert.equal(backoff.next(), 100);
});

test("it gives up after waiting long enough, and starts over after a success", () => {
  const backoff = new Backoff({ firstMs: 1000, patienceMs: 3000, random: () => 1 });
  assert.deepEqual([backoff.next(), backoff.next(), backoff.next()], [1000, 2000, null]);
  backoff.reset();
  assert.equal(backoff.next(), 1000);
});

test("without patience there is no second attempt", () => {
  assert.equal(new Backoff({ patienceMs: 0 }).next(), null);
});
