/** Text is split into sentences that the server reads one by one. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { MAX_SENTENCE_LENGTH, sentencesIn } from "../../static/js/lib/sentences.js";

/** @param {string} text @param {string} [language] @param {any} [more] */
const split = (text, language = "en", ...more) => Array.from(sentencesIn(text, language, ...more), ([from, to]) => text.slice(from, to));

for (const [language, text, expected] of [
  ["en", "Rivers bend. Why? Nobody knows!", ["Rivers bend.", "Why?", "Nobody knows!"]],
  ["de", "Flüsse mäandern. „Warum?“ Das weiß niemand.", ["Flüsse mäandern.", "„Warum?“", "Das weiß niemand."]],
  ["ar", "الماء ينحت الضفة. لماذا؟ لا أحد يعرف.", ["الماء ينحت الضفة.", "لماذا؟", "لا أحد يعرف."]],
  ["zh", "河流会弯曲。为什么？没人知道！", ["河流会弯曲。", "为什么？", "没人知道！"]],
  ["ja", "川は曲がる。なぜだろう。", ["川は曲がる。", "なぜだろう。"]],
  ["hi", "नदी मुड़ती है। क्यों?", ["नदी मुड़ती है।", "क्यों?"]],
]) {
  test(`${language}: sentences end where the script ends them`, () => {
    assert.deepEqual(split(text, language), expected);
  });
}

test("a number with a point and an abbreviation before a small letter end no sentence", () => {
  assert.deepEqual(split("It is 3.5 m deep, e.g. here. Deep."), ["It is 3.5 m deep, e.g. here.", "Deep."]);
});

test("a line break ends a sentence, and a line without words is none", () => {
  assert.deepEqual(split("A title\n\n* * *\nThe text.  \n🙂\n"), ["A title", "The text."]);
});

test("a browser without a segmenter splits at the marks and at line breaks", () => {
  const text = "It is 3.5 m deep. “Really?” she asked… Yes!\n河流会弯曲。为什么？好 and so on";
  const expected = ["It is 3.5 m deep.", "“Really?”", "she asked…", "Yes!", "河流会弯曲。", "为什么？", "好 and so on"];
  assert.deepEqual(split(text, "en", null), expected);
});

test("a very long sentence is split between words, and elsewhere if it has none", () => {
  const words = "word ".repeat(500).trim();
  const pieces = split(words);
  assert.ok(pieces.every((piece) => piece.length <= MAX_SENTENCE_LENGTH && /^word.*word$/.test(piece)));
  assert.equal(pieces.join(" "), words);
  const signs = "𠀀".repeat(1200);
  const halves = split(`x${signs}`);
  assert.ok(halves.every((piece) => piece.length <= MAX_SENTENCE_LENGTH && piece.isWellFormed()));
  assert.equal(halves.join(""), `x${signs}`);
});

test("nothing has no sentences", () => {
  assert.deepEqual(split(""), []);
  assert.deepEqual(split(" \n", "en", null), []);
});

test("without a segmenter, a long row of marks takes linear time", () => {
  const row = "!".repeat(300_000); // minutes, if each mark was tried as the first one
  assert.deepEqual(split(`${row}x`, "en", null), ["x"]); // marks alone say nothing
});
