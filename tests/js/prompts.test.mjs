/** Which prompts a message that begins with "/" is offered. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { firstPlaceholder, matchingPrompts, promptQuery } from "../../static/js/prompts/suggestions.js";

const prompts = ["Translate", "A translation", "Résumé", "Short"].map((name) => ({ id: name, name, preview: "" }));
const names = (query) => matchingPrompts(prompts, query).map(({ name }) => name);

test("a query is what follows a slash at the beginning, on one line", () => {
  assert.equal(promptQuery("/"), "");
  assert.equal(promptQuery("/tra ns"), "tra ns");
  for (const text of ["", "a/b", " /a", "/a\nb", `/${"x".repeat(81)}`]) assert.equal(promptQuery(text), null, text);
});

test("what begins with the query comes first; case and accents do not matter", () => {
  assert.deepEqual(names("TRANS"), ["Translate", "A translation"]);
  assert.deepEqual(names("resume"), ["Résumé"]);
  assert.deepEqual(names("slow 100"), []);
  assert.equal(names("").length, 4);
});

test("the first gap is the first pair of braces with words between them", () => {
  assert.deepEqual(firstPlaceholder("a {b c} {d}"), [2, 7]);
  for (const text of ["", "{}", "{a\nb}", "}{", `{${"x".repeat(61)}}`]) assert.equal(firstPlaceholder(text), null, text);
  assert.deepEqual(firstPlaceholder("f() { {x} }"), [6, 9]);
});
