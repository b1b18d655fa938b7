import assert from "node:assert/strict";
import { test } from "node:test";

import { idsIn, recentModels, rememberModel } from "../../static/js/models/recent_models.js";

/** @returns {import("../../static/js/models/recent_models.js").Storage} */
function storage() {
  const kept = new Map();
  return { read: (name) => kept.get(name) ?? null, write: (name, text) => void kept.set(name, text) };
}

test("the latest three models are remembered, each once", () => {
  const device = storage();
  assert.deepEqual(recentModels(device), []);
  for (const id of ["a", "b", "a", "c", "d"]) rememberModel(device, id);
  assert.deepEqual(recentModels(device), ["d", "c", "a"]);
});

test("ids are separated by spaces", () => {
  assert.deepEqual(idsIn(" a  b "), ["a", "b"]);
  assert.deepEqual(idsIn(null), []);
});
