import assert from "node:assert/strict";
import { test } from "node:test";

import { valuesOf } from "../../static/js/models/tool_arguments.js";
import { outcomeOf, titleOf } from "../../static/js/controllers/transcript/tool_list.js";

const named = (tool, values) => titleOf({ id: "t", tool, state: "done", arguments: JSON.stringify(values) });

test("a call is described by what it is given", () => {
  assert.equal(named("web_search", { query: "rivers" }), "Search the web: rivers");
  assert.equal(named("calculator", { expression: "1+1" }), "Calculate: 1+1");
  assert.equal(named("generate_image", { prompt: "a boat" }), "Draw: a boat");
  assert.equal(named("current_time", {}), "Look up the time");
  assert.equal(named("unheard_of", { query: "rivers" }), "unheard_of");
  assert.equal(titleOf({ id: "t", tool: "tides__book", title: "Tides: book", state: "done", arguments: "{}" }), "Tides: book");
});

test("a long argument is shortened, and one of another type shown as text", () => {
  assert.equal(named("remember", { text: "a".repeat(500) }), `Remember: ${"a".repeat(200)}…`);
  assert.equal(named("remember", { text: "river ".repeat(50) }), `Remember: ${"river ".repeat(33).trim()}…`);
  assert.equal(named("remember", { text: "🌊".repeat(201) }), `Remember: ${"🌊".repeat(200)}…`);
  assert.equal(named("remember", { text: "one\n two" }), "Remember: one two");
  assert.equal(named("web_search", { query: 5 }), "Search the web: 5");
});

test("whatever a model writes as arguments, there are some or none", () => {
  for (const text of ["", "{", "[]", "null", "5", '"text"', '{"query": "cut']) assert.deepEqual(valuesOf(text), {});
});

test("an outcome says what was found, or what went wrong", () => {
  assert.equal(outcomeOf({ state: "done", count: 1 }), "1 result");
  assert.equal(outcomeOf({ state: "done", count: 3 }), "3 results");
  assert.equal(outcomeOf({ state: "done" }), "");
  assert.equal(outcomeOf({ state: "failed", problem: "timeout" }), "No answer in time");
  assert.equal(outcomeOf({ state: "failed", problem: "new" }), "Failed");
});
