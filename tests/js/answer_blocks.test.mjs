/** Buttons and cards in what a model writes: in their exact form, within limits, with links to the website only. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { allowedLink, MAX_BLOCK_LENGTH, readButtons, readCards } from "../../static/js/lib/answer_blocks.js";

const HERE = ["https://www.canoes.example", "https://*.lake.example", "http://localhost:8001"];

test("a line is the label of a button, with or without the mark of a list", () => {
  assert.deepEqual(readButtons("Prices\n\n- Opening hours \n2. Something else\n"), ["Prices", "Opening hours", "Something else"]);
  assert.deepEqual(readButtons("🛶 Canoes\n☀️ Today\n👩‍🔬 Ask\n1️⃣ One"), ["🛶 Canoes", "☀️ Today", "👩‍🔬 Ask", "1️⃣ One"]);
  assert.deepEqual(readButtons("ساعت‌های کار\nشعار"), ["ساعت‌های کار", "شعار"]);
});

for (const [what, source] of [
  ["no labels", "\n \n"],
  ["a seventh label", "1\n2\n3\n4\n5\n6\n7"],
  ["ten thousand labels", Array.from({ length: 10_000 }, (_, i) => i).join("\n")],
  ["a label that is too long", "x".repeat(61)],
  ["a huge line", "x".repeat(1_000_000)],
  ["the same label twice", "Yes\nYes"],
  ["a character that turns the text around", "Pay \u202e0001$"],
  ["a character that can't be seen", "Yes\u200b"],
  ["joiners that join nothing", "Yes\u200d\u200d\u200d"],
  ["tags that can't be seen", "Yes\u{e0041}"],
  ["only a mark", "Yes\n- \u200b"],
]) {
  test(`${what}: no buttons`, () => assert.equal(readButtons(source), null));
}

test("cards have a title, and may have a text and a link", () => {
  const source = "title: A day\ntext: Two paddles\nlink: https://www.canoes.example/day\n\n---\nTitle: Lake\nimage: https://evil.example/x.png";
  const [day, lake] = readCards(source, HERE) ?? [];
  assert.deepEqual([day.title, day.text, day.link?.href], ["A day", "Two paddles", "https://www.canoes.example/day"]);
  assert.deepEqual(lake, { title: "Lake", text: "", link: null });
});

for (const [what, source] of [
  ["nothing", ""],
  ["a card without a title", "text: Two paddles"],
  ["a second text", "title: A\ntext: b\ntext: c"],
  ["a line without a name", "title: A\nand more"],
  ["a fifth card", "title: A\n".repeat(5)],
  ["an empty title", "title:\ntext: b"],
  ["a title that is too long", `title: ${"x".repeat(81)}`],
  ["a text that is too long", `title: A\ntext: ${"x".repeat(241)}`],
  ["a text that turns around", "title: A\ntext: \u2067b"],
  ["a block that is too long", `title: A\nlink: https://www.canoes.example/${"x".repeat(MAX_BLOCK_LENGTH)}`],
]) {
  test(`${what}: no cards`, () => assert.equal(readCards(source, HERE), null));
}

for (const [href, isAllowed] of [
  ["https://www.canoes.example/day?x=1#y", true],
  ["https://north.lake.example/", true],
  ["https://a.north.lake.example/", true],
  ["http://localhost:8001/prices", true],
  ["https://lake.example/", false],
  ["https://notlake.example/", false],
  ["https://evil.example/.lake.example/", false],
  ["https://www.canoes.example.evil.example/", false],
  ["https://www.canoes.example:8443/", false],
  ["http://www.canoes.example/", false],
  ["https://www.canoes.example@evil.example/", false],
  ["https://x@www.canoes.example/", false],
  ["https:\\\\evil.example\\@www.canoes.example", false],
  ["https://www.canoes.example\u3002evil.example/", false],
  ["http://localhost:8002/", false],
  ["javascript:alert(1)//https://www.canoes.example", false],
  ["data:text/html,x", false],
  ["blob:https://www.canoes.example/1", false],
  ["//www.canoes.example/", false],
  ["/day", false],
  ["", false],
]) {
  test(`a link to ${JSON.stringify(href)} is ${isAllowed ? "followed" : "left out"}`, () => {
    assert.equal(allowedLink(href, HERE) !== null, isAllowed);
  });
}

test("no website, no link", () => assert.equal(allowedLink("https://www.canoes.example/", []), null));
