/** Markup that is held back until its next character, and markup that is not. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { pendingLength } from "../../static/js/markdown/pending_markup.js";
import { outlineOf, read } from "./markdown_pages.mjs";

const shown = (text, place = "") => text.slice(0, text.length - pendingLength(text, place));

for (const [text, expected] of [
  ["Some words", "Some words"],
  ["Some **", "Some "],
  ["Some **bold*", "Some **bold"],
  ["snake_", "snake"],
  ["a `", "a "],
  ["a [", "a "],
  ["a ![", "a "],
  ["a!", "a"],
  ["a [b]", "a [b"],
  ["a \\", "a "],
  ["a &am", "a "],
  ["a & b", "a & b"],
  ["a <br", "a "],
  ["a < b", "a < b"],
  ["a $", "a "],
  ["Words\n-", "Words\n"],
  ["Words\n- ", "Words\n"],
  ["Words\n- [", "Words\n"],
  ["Words\n- [x] ", "Words\n"],
  ["Words\n- a", "Words\n- a"],
  ["Words\n12", "Words\n"],
  ["Words\n12. ", "Words\n"],
  ["Words\n12 rivers", "Words\n12 rivers"],
  ["Words\n## ", "Words\n"],
  ["Words\n## A", "Words\n## A"],
  ["Words\n==", "Words\n"],
  ["Words\n> ", "Words\n"],
  ["Words\n```py", "Words\n"],
  ["Words\n[label]: https://exam", "Words\n"],
  ["Words\n| a | b |", "Words\n"],
  ["Words\n| a | b |\n|--", "Words\n"],
  ["Words\n| a | b |\n|---|---|\n", "Words\n| a | b |\n|---|---|\n"],
  ["Words\n| a | b |\nno table", "Words\n| a | b |\nno table"],
]) {
  test(JSON.stringify(text), () => assert.equal(shown(text), expected));
}

test("in code, only a possible end is held back", () => {
  assert.equal(shown("```\na **", "code"), "```\na **");
  assert.equal(shown("```\na\n- ", "code"), "```\na\n- ");
  assert.equal(shown("```\na\n``", "code"), "```\na");
});

test("in a table, a row is shown as it arrives", () => {
  const table = "| a |\n|---|\n| 1 |\n| tw";
  assert.equal(shown(table, "table"), table);
});

test("a very long line of spaces or markers is processed in time", () => {
  for (const filler of [" ", ">", "-", "`", "| ", "\t", "<a"]) {
    assert.ok(pendingLength(`${filler.repeat(200_000)}a`, "") <= 200);
    assert.ok(pendingLength(filler.repeat(200_000), "") <= 200);
  }
});

test("at the end everything is shown", () => {
  for (const text of ["a **", "a [b](", "- ", "| a |", "a <", "12.", "```", "a \\", "#", "a &"]) {
    const { length } = outlineOf(read([...text]));
    assert.equal(outlineOf(read([...text])), outlineOf(read([text])));
    assert.ok(length > 2, text);
  }
});
