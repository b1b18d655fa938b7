import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { MAX_LINE_LENGTH, MAX_RUN_LENGTH, breakable, endsInLongRun } from "../../static/js/lib/breakable_text.js";
import { text, textOf } from "../../static/js/markdown/nodes.js";

const CASES = JSON.parse(readFileSync(new URL("../fixtures/breakable_texts.json", import.meta.url), "utf8"));

for (const { name, unit, times } of CASES.texts) {
  const whole = unit.repeat(times);

  test(`${name} is divided and nothing is lost`, () => {
    const lines = breakable(whole);
    assert.equal(lines.flat().join(""), whole);
    for (const part of lines.flat()) {
      assert.doesNotMatch(part, new RegExp(`[^ \\n\\t]{${2 * MAX_RUN_LENGTH},}`, "u"));
      assert.ok(part.isWellFormed(), "a character was cut in two");
    }
    const isMixed = CASES.right_to_left.includes(name);
    for (const line of lines) assert.ok(!isMixed || Math.max(...line.join("").split("\n").map((each) => each.length)) <= MAX_LINE_LENGTH);
  });

  test(`${name} is whole as Markdown too`, () => {
    assert.equal(textOf([text(whole)]), whole);
  });
}

for (const ordinary of CASES.ordinary) {
  test(`ordinary text stays in one piece: ${ordinary.slice(0, 20)}`, () => {
    assert.deepEqual(breakable(ordinary.repeat(300)), [[ordinary.repeat(300)]]);
  });
}

test("the parts of a long line of prose end at spaces", () => {
  const lines = breakable("שלום לכולם ".repeat(2_000));
  assert.ok(lines.length > 3);
  for (const [line] of lines) assert.match(line, / $/);
});

test("text that grows is known to end in a long run", () => {
  assert.equal(endsInLongRun("a".repeat(MAX_RUN_LENGTH)), true);
  assert.equal(endsInLongRun(`a ${"a".repeat(MAX_RUN_LENGTH - 1)}`), false);
});
