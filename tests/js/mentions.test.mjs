import assert from "node:assert/strict";
import { test } from "node:test";

import { matchingNames, mentionAt } from "../../static/js/lib/mentions.js";

test("a name is completed after @, up to the caret", () => {
  assert.deepEqual(mentionAt("Ask @An", 7), { start: 5, query: "An" });
  assert.deepEqual(mentionAt("Ask @An", 5), { start: 5, query: "" });
  assert.deepEqual(mentionAt("@Ann Lee, look", 8), { start: 1, query: "Ann Lee" });
});

test("addresses and other lines are left alone", () => {
  for (const text of ["ann@exam", "no name", "@ spaced", "@Ann\nLee", `@${"x".repeat(61)}`]) {
    assert.equal(mentionAt(text, text.length), null, text);
  }
});

test("names match by the beginning of each word", () => {
  const names = ["Ann Lee", "Lee Miller", "Zoë", "ann@example.org"];
  assert.deepEqual(matchingNames(names, "lee"), ["Ann Lee", "Lee Miller"]);
  assert.deepEqual(matchingNames(names, "an"), ["Ann Lee", "ann@example.org"]);
  assert.deepEqual(matchingNames(names, "ZO"), ["Zoë"]);
  assert.deepEqual(matchingNames(names, "Ann Lee"), []);
  assert.equal(matchingNames(Array.from({ length: 20 }, (_, at) => `A${at}`), "a").length, 8);
});
