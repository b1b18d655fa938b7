import assert from "node:assert/strict";
import { test } from "node:test";

import { speakableText } from "../../static/js/lib/speakable_text.js";
import { Announcer } from "../../static/js/models/announcer.js";

const ANSWER = "# Rivers\n\nThey **bend**.\n\n```py\nx = 1\n\ny = 2\n```\n\nThe end.";
const SPOKEN = ["Rivers", "They bend.", "x = 1\ny = 2", "The end."];

/** Return the announcements for a text that arrives in pieces of that many characters. */
function heard(mode, text = ANSWER, size = 1, before = "") {
  const said = [];
  const announcer = new Announcer((words) => said.push(words), mode);
  announcer.begin(before);
  for (let end = before.length; end < text.length + size; end += size) announcer.update(text.slice(0, end));
  announcer.end(text, "Answer complete.");
  return said;
}

test("an answer is announced once it is complete", () => {
  assert.deepEqual(heard("done"), ["Replying…", SPOKEN.join("\n"), "Answer complete."]);
});

test("an answer can be announced by paragraphs, however it is split", () => {
  for (const size of [1, 2, 3, 7, 1000]) {
    const said = heard("streaming", ANSWER, size);
    assert.equal(said.slice(1, -1).join("\n"), SPOKEN.join("\n"));
    assert.deepEqual([said[0], said.at(-1)], ["Replying…", "Answer complete."]);
  }
  assert.deepEqual(heard("streaming").slice(1, -1), SPOKEN);
});

test("only the start and the end of an answer can be announced", () => {
  assert.deepEqual(heard("off"), ["Replying…", "Answer complete."]);
});

test("a continued answer is announced from where it continues", () => {
  const before = "They **bend**.\n\n";
  const said = heard("done", `${before}And *then*?`, 1, before);
  assert.deepEqual(said, ["Replying…", "And then?", "Answer complete."]);
});

test("the start and end of an empty answer are announced", () => {
  assert.deepEqual(heard("done", ""), ["Replying…", "Answer complete."]);
});

test("markup is not announced", () => {
  const cases = {
    "## A heading ##": "A heading",
    "- [x] **Bold** and *it* and `code`": "Bold and it and code",
    "> quoted\n> > twice": "quoted\ntwice",
    "See [the docs](https://example.org/a_b \"title\") and ![a cat](cat.png).": "See the docs and a cat.",
    "| a | b |\n|---|:-:|\n| 1 | 2 |": "a, b\n1, 2",
    "1. first\n2. second": "1. first\n2. second",
    "---": "",
    "snake_case_name, 2 * 3 * 4 and a*b": "snake_case_name, 2 * 3 * 4 and a*b",
    "one<br>two \\*three\\*": "one two *three*",
    "```js\nconst a = `**b**`;\n```": "const a = `**b**`;",
  };
  for (const [markdown, words] of Object.entries(cases)) assert.equal(speakableText(markdown), words);
});

test("a long line of markup is processed in time", { timeout: 60_000 }, () => {
  for (const mark of ["*", "*a ", "**a ", "_", "`", "[", "![", "[](", "<a ", "<http:", "(", "|", "- ", "# ", " ", "-"]) {
    speakableText(mark.repeat(30_000));
    speakableText(`# ${mark.repeat(30_000)}x`);
  }
});
