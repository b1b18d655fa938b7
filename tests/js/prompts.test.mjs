/** Which prompts are offered for a message that starts with "/". */

import assert from "node:assert/strict";
import { test } from "node:test";

import { matchingPrompts, promptQuery } from "../../static/js/prompts/suggestions.js";

const prompts = ["Translate", "A translation", "Résumé", "Short"].map((name) => ({ id: name, name, preview: "" }));
const names = (query) => matchingPrompts(prompts, query).map(({ name }) => name);

test("the query is the text after a slash at the start, on one line", () => {
  assert.equal(promptQuery("/"), "");
  assert.equal(promptQuery("/tra ns"), "tra ns");
  for (const text of ["", "a/b", " /a", "/a\nb", `/${"x".repeat(81)}`]) assert.equal(promptQuery(text), null, text);
});

test("names that start with the query come first; case and accents are ignored", () => {
  assert.deepEqual(names("TRANS"), ["Translate", "A translation"]);
  assert.deepEqual(names("resume"), ["Résumé"]);
  assert.deepEqual(names("slow 100"), []);
  assert.equal(names("").length, 4);
});
