import assert from "node:assert/strict";
import { test } from "node:test";

import { Paragraphs } from "../../static/js/lib/paragraphs.js";

/** Return the blocks that a page shows: a list of paragraphs, each a list of chunks. */
function blocks(pieces) {
  const paragraphs = new Paragraphs();
  const shown = [];
  for (const { opens, text } of pieces.flatMap((piece) => paragraphs.append(piece))) {
    if (opens === "paragraph") shown.push([text]);
    else if (opens === "chunk") shown.at(-1).push(text);
    else shown.at(-1).push(shown.at(-1).pop() + text);
  }
  return shown;
}

const TEXT = "\n\nOne line.\nAnother line.\n\n\nThe second one  with spaces\n  and an indent.\r\n\r\nThird.\n";

test("blank lines separate paragraphs, single line ends stay", () => {
  assert.deepEqual(blocks([TEXT]), [
    ["One line.\nAnother line."],
    ["The second one  with spaces\n  and an indent."],
    ["Third."],
  ]);
});

test("the result does not depend on how the text is split", () => {
  const text = TEXT.replaceAll("\r\n", "\n");
  const whole = blocks([text]);
  assert.deepEqual(blocks([...text]), whole);
  for (let cut = 1; cut < text.length; cut++) {
    assert.deepEqual(blocks([text.slice(0, cut), text.slice(cut)]), whole, `cut at ${cut}`);
  }
});

test("a paragraph of many lines is split at line ends, and nothing is lost", () => {
  const lines = Array.from({ length: 500 }, (_, i) => `- line ${i}`);
  const [paragraph, ...others] = blocks([...lines.join("\n")]);
  assert.deepEqual(others, []);
  assert.equal(paragraph.join("\n"), lines.join("\n"));
  assert.ok(paragraph.length > 4);
  assert.ok(Math.max(...paragraph.map((chunk) => chunk.length)) < 1100);
});

test("one long line stays in one block, where it can wrap as a whole", () => {
  assert.equal(blocks(["word ".repeat(2000)]).flat().length, 1);
});

test("an empty text has no blocks", () => {
  assert.deepEqual(blocks(["", "\n", "\n\n"]), []);
});
