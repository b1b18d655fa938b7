import assert from "node:assert/strict";
import { test } from "node:test";

import { idsIn, recentWith } from "../../static/js/models/recent_models.js";

test("the latest three models are remembered, each once", () => {
  assert.equal(recentWith(undefined, "a"), "a");
  assert.equal(["a", "b", "a", "c", "d"].reduce(recentWith, ""), "d c a");
});

test("ids are separated by spaces", () => {
  assert.deepEqual(idsIn(" a  b "), ["a", "b"]);
  assert.deepEqual(idsIn(null), []);
});
