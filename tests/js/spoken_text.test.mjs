/** What is read aloud of a formatted answer. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { SpokenText } from "../../static/js/controllers/speech/spoken_text.js";

const words = (data) => ({ nodeType: 3, data });
/** @param {string} name with a class after a dot @returns {any} */
function element(name, ...children) {
  const [localName, ...classes] = name.split(".");
  const childNodes = children.map((child) => (typeof child === "string" ? words(child) : child));
  return { nodeType: 1, localName, classList: { contains: (each) => classes.includes(each) }, childNodes };
}

const p = (...children) => element("p", ...children);
const spoken = (...children) => new SpokenText(element("div", ...children)).text;

test("each block is a line, and marked words belong to theirs", () => {
  const list = element("ul", element("li", "One"), element("li", p("Two"), p("and more")));
  assert.equal(
    spoken(element("h2", "Rivers"), "\n", p("They ", element("strong", "bend"), ".", element("br"), "Often."), list),
    "Rivers\n \nThey bend. Often.\nOne\nTwo\nand more\n",
  );
});

test("code blocks, buttons and citations are left out, code in a sentence is not", () => {
  const block = element("div.code-block", element("div", element("span", "Python")), element("pre", "print(1)"));
  const link = element("a.source-citation", "1");
  const text = p("Call ", element("code", "a[1]"), " now ", link, " or later [2].", element("button", "Copy"));
  assert.equal(spoken(text, block, element("pre", "x = 1")), "Call a[1] now  or later .\n");
});

test("a row of a table is a line", () => {
  const row = (...cells) => element("tr", ...cells.map((cell) => element("td", cell)));
  assert.equal(spoken(element("table", row("Rhine", "1,233 km"), row("Elbe", "1,094 km"))), "Rhine, 1,233 km\nElbe, 1,094 km\n");
});

test("a formula is read once, without its source", () => {
  assert.equal(spoken(p("If ", element("math", "x", element("annotation", "\\mathit{x}")), ".")), "If x.\n");
});

test("the last sentence of a growing text is waited for", () => {
  const text = new SpokenText(element("div", p("Rivers bend. They al")));
  const first = text.sentenceAfter(0, true, "en");
  assert.deepEqual(first, { text: "Rivers bend.", start: 0, end: 12 });
  assert.equal(text.sentenceAfter(12, true, "en"), undefined);
  assert.deepEqual(text.sentenceAfter(12, false, "en"), { text: "They al", start: 13, end: 20 });
  assert.equal(text.sentenceAfter(20, false, "en"), null);
  assert.equal(text.sentenceAfter(20, true, "en"), undefined);
});
