/** Markdown in pieces: settled nodes stay, and the result does not depend on how the text was split. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { Tokenizer } from "marked";

import { textOf } from "../../static/js/markdown/nodes.js";
import { commonMarkExamples, cut, outlineOf, read, seeded } from "./markdown_pages.mjs";

const shown = (...pieces) => outlineOf(read(pieces));
const PARTS = [
  ...commonMarkExamples().map(({ markdown }) => markdown),
  ...Array(8).fill([
    "\n", "\n\n", "| a | b |\n|---|:-:|\n| 1 | **2** |\n", "$$\na=b\n- c\n+ d\n$$\n", "\\[x^2\n= 3\\]\n", "text \\(a_b*c\\) and \\(d*\n",
    "- [ ] a\n- [x] b\n", "1. a\n\n   b\n2. c\n", "[foo]: https://example.org/\n", "[foo] [bar][foo] ![foo]\n",
    "**bold *it* `code` ~~del~~**\n", "```py\ncode\n```\n", "~~~\nx\n", "# H\n## I\n", "> q\n> - a\nlazy\n", "<div>\nx\n\n",
    "<!-- a\n\nb -->\n", "para\r\n===\r\n", "a  \nb\\\nc\n",
    "text $a_1*b$ and $5, $6*7* or 8$ then $x\n", "see[^1] and[^n]\n", "[^1]: note *a\nlazy*\n", "[^N]: other\n\n    more\n",
    "<kbd>Ctrl</kbd>+<kbd>*C*\n", "<details>\n<summary>S **b**</summary>\n", "<details>\n", "</details>\n", "<details><summary>T</summary>x</details>\n",
  ]).flat(),
]; // prettier-ignore

test("every split gives the same page", () => {
  const first = Number(process.env.SEED ?? Date.now() % 1_000_000);
  for (let seed = first; seed < first + 400; seed++) {
    const random = seeded(seed);
    const pick = () => PARTS[Math.floor(random() * PARTS.length)] + (random() < 0.5 ? "\n" : "");
    const text = Array.from({ length: 1 + Math.floor(random() * 6) }, pick).join("");
    const pieces = cut(text, random, 1 + Math.floor(random() * 20));
    assert.equal(outlineOf(read(pieces)), shown(text), `SEED=${seed} ${JSON.stringify(text)}`);
  }
});

test("a list that begins with a tab ends a paragraph before it becomes a heading", () => {
  const text = "a\n-\t\tb\nc\n---\n";
  const whole = 'p["a"], ul[li[';
  assert.ok(shown(text).startsWith(whole), shown(text));
  assert.equal(shown(...text), shown(text));
});

test("a settled node is never replaced", () => {
  const text = "# A\n\nOne\n\n- two\n- three\n\n```\nfour\n```\n\n| a |\n|---|\n| b |\n\nfive\n\nsix\n";
  const known = [];
  let most = 0;
  read([...text], (page, settled) => {
    known.forEach((node, i) => assert.equal(page[i], node));
    known.push(...page.slice(known.length, settled));
    most = Math.max(most, page.length - settled);
  });
  assert.equal(known.length, 7);
  assert.ok(most <= 3);
});

test("only the end of a growing list is created again", () => {
  const text = "- one\n- two\n- three **bold**\n";
  let last = [];
  read([...text], (page) => {
    const items = page[0]?.children ?? [];
    items.slice(0, Math.max(last.length - 2, 0)).forEach((item, i) => assert.equal(item, last[i]));
    last = items;
  });
  assert.equal(last.length, 3);
});

test("a link definition below its use is found at the end", () => {
  const text = "A [river].\n\nOne\n\nTwo\n\nThree\n\n[river]: https://example.org/\n";
  assert.match(shown(...text), /^p\["A ", a\(href=https:\/\/example\.org\/ /);
});

test("a link definition above its use is found however far it is", () => {
  const text = `[river]: https://example.org/\n\n${"Words.\n\n".repeat(20)}A [river].`;
  assert.match(shown(...text), /p\["A ", a\(href=https:\/\/example\.org\/ .*\["river"\], "\."\]$/);
});

test("open markup is shown as if it were closed", () => {
  const steps = [];
  read([..."Some **bold** and `code` words"], (page) => steps.push(outlineOf(page)));
  assert.ok(steps.every((step) => !/[*`]/.test(step)), steps.join("\n"));
  assert.ok(steps.includes('p["Some ", strong["bo"]]'));
});

test("headings are below the answer's own and skip no level", () => {
  assert.equal(shown("## A\n\n#### B\n\n## C\n\n# D\n\n## E\n\n### F\n\n#### G\n\n##### H"),
    'h3["A"], h4["B"], h3["C"], h3["D"], h4["E"], h5["F"], h6["G"], h6["H"]'); // prettier-ignore
  assert.equal(shown("> # A\n\n- # B"), 'blockquote[p(class=heading)["A"]], ul[li[p(class=heading)["B"]]]');
});

test("HTML is shown as text, except for line breaks", () => {
  assert.equal(shown("a <b onclick=x>b</b> <br>c<br/>d"), 'p["a <b onclick=x>b</b> ", br[], "c", br[], "d"]');
  assert.equal(shown("<script>alert(1)</script>"), 'p(class=verbatim)["<script>alert(1)</script>"]');
  assert.equal(shown("a <!-- b --> c"), 'p["a <!-- b --> c"]');
});

test("checkboxes of tasks have an accessible name", () => {
  assert.match(shown("- [x] a"), /^ul\(class=tasks\)\[li\(class=task\)\[input\(type=checkbox disabled= aria-label=Done checked=\)\[\], " ", "a"\]\]$/);
  assert.match(shown("- [ ] a"), /aria-label=To do\)/);
});

test("a table can be scrolled and has an accessible name", () => {
  assert.match(shown("| River | km |\n|---|--:|\n| Rhine | 1233 |"), /div\(class=table-scroller role=group tabindex=0 aria-label=Table: River, km\)\[table\[thead/);
});

test("code shows its language, and direction characters are spelled out", () => {
  assert.match(shown("```js\na\n```"), /span\["JavaScript"\], button.*, button\(type=button class=text-button copy-code aria-label=Copy code\)\["Copy"\]/);
  assert.match(shown("```\na\u202eb\n```"), /code\["a\[U\+202E\]b"\]/);
  assert.equal(shown("`a\u2066b`"), 'p[code["a[U+2066]b"]]');
});

test("formulas are found between their delimiters, and amounts of money are not formulas", () => {
  assert.equal(shown("\\(a_1*b*c\\) costs $5 or $6"), 'p[span(class=maths)["a_1*b*c"], " costs $5 or $6"]');
  assert.match(shown("$$\na\n= b\n- c\n$$\n\nend"), /^p\[span\(class=maths display [^)]*\)\["a\\n= b\\n- c"\]\], p\["end"\]$/);
  assert.match(shown("Text:\n\\[\na = b\n\\]\nmore"), /^p\["Text:"\], p\[span\(class=maths display [^)]*\)\["a = b"\]\], p\["more"\]$/);
  assert.equal(shown("see \\[1\\] and `$$a$$`"), 'p["see [1] and ", code["$$a$$"]]');
  assert.equal(shown("$$ never closed\n\n# Next"), 'p["$$ never closed"], h3["Next"]');
});

test("character references are replaced, and unknown ones stay", () => {
  assert.equal(shown("&amp;&copy;&#x41;&#66;&#0;&#xd800;&nothing;&lt;b&gt;"), 'p["&©AB\ufffd\ufffd&nothing;<b>"]');
});

test("carriage returns are line ends, however the text is split", () => {
  assert.equal(shown("a\r", "\nb\r", "c\r\n\r", "\nd"), 'p["a\\nb\\nc"], p["d"]');
});

const EXTREME = {
  "10,000 quotes in one another": "> ".repeat(10_000) + "a",
  "10,000 marks of quotes": ">".repeat(10_000),
  "10,000 lists in one another": "- ".repeat(10_000) + "a",
  "quotes and lists in one another": "> - ".repeat(5_000) + "a",
  "lists in one another, line by line": Array.from({ length: 300 }, (_, i) => `${"  ".repeat(i)}- a`).join("\n"),
  "one line of 100 KB": "a".repeat(100_000),
  "100 KB of words in one line": "word ".repeat(20_000),
  "100 KB of blanks": `${" ".repeat(100_000)}a`,
  "100 KB of stars": "*".repeat(100_000),
  "emphasis never closed": "*a **b ".repeat(15_000),
  "emphasis in one another": `${"*a ".repeat(10_000)}${" b*".repeat(10_000)}`,
  "strong in one another": `${"**a ".repeat(5_000)}${" b**".repeat(5_000)}`,
  "brackets never closed": "[".repeat(100_000),
  "brackets in one another": "[".repeat(20_000) + "]".repeat(20_000),
  "links never closed": "[a](b".repeat(20_000),
  "links never closed, but the last": `${"[a](b".repeat(20_000)})`,
  "backticks of all lengths": Array.from({ length: 400 }, (_, i) => "`".repeat(i)).join(" "),
  "angles": "<".repeat(100_000),
  "tags never closed": '<a b="'.repeat(15_000),
  "formulas never closed": "\\(".repeat(50_000),
  "dollars": "$$a ".repeat(25_000),
  "single dollars": "$a ".repeat(16_000),
  "single dollars that escape": `$${"\\$a".repeat(16_000)}`,
  "references to notes": "[^1]".repeat(25_000),
  "notes in one another": "[^1]: ".repeat(15_000),
  "10,000 notes": Array.from({ length: 10_000 }, (_, i) => `[^${i}]: a\n`).join(""),
  "a note of 20,000 lines": `[^1]: a\n${"    b\n".repeat(20_000)}`,
  "keys never closed": "<kbd>".repeat(10_000),
  "10,000 sections never closed": "<details>\n\n".repeat(10_000),
  "sections in one another": `${"<details>\n".repeat(10_000)}${"</details>\n".repeat(10_000)}`,
  "a section of 100 KB": `<details>\n${"word\n\n".repeat(16_000)}`,
  "20,000 summaries": "<details><summary>a\n".repeat(6_000),
  "a table of 20,000 columns": `${"|a".repeat(20_000)}\n${"|-".repeat(20_000)}\n`,
  "a table of 10,000 rows": `|a|b|\n|-|-|\n${"|1|2|\n".repeat(10_000)}`,
  "a list of 20,000 points": "- a\n".repeat(20_000),
  "10,000 definitions": Array.from({ length: 10_000 }, (_, i) => `[a${i}]: /b\n`).join(""),
}; // prettier-ignore

for (const [name, text] of Object.entries(EXTREME)) {
  test(`${name}: the whole text is shown`, () => {
    const page = outlineOf(read(cut(text, () => 0.999, 8_000)));
    assert.ok(page.length > 0 || name.includes("definitions"));
  });
}

test("a very long list is split into several", () => {
  const page = read(["1. a\n", ...Array.from({ length: 249 }, (_, i) => `${i + 2}. a\n`)]);
  assert.deepEqual(page.map(({ children, attributes }) => [children.length, attributes.start]), [[100, undefined], [100, "101"], [50, "201"]]);
});

test("quotes that other blocks follow are not searched again and again", () => {
  const { blockquote } = Tokenizer.prototype;
  let searched = 0;
  Tokenizer.prototype.blockquote = function (source) {
    if (source.startsWith(">")) searched += source.length;
    return blockquote.call(this, source);
  };
  try {
    for (const unit of ["> q\n| a | b |\n|---|---|\n", "| a | b |\n|---|---|\n| 1 | 2 |\n> q\n", "- a\n> q\n"]) {
      searched = 0;
      read([unit.repeat(4_000)]);
      assert.ok(searched / 4_000 < 3_000, `${searched / 4_000} characters for each quote`);
    }
  } finally {
    Tokenizer.prototype.blockquote = blockquote;
  }
});

test("a quote ends where its sign has been missing for long", () => {
  const lines = "line of words\n".repeat(400);
  const [quote, rest] = read([`> first\n${lines}`]);
  assert.equal(quote.tag, "blockquote");
  assert.equal(rest.tag, "p");
  assert.equal(textOf([quote, rest]).split("line of words").length, 401);
  assert.equal(read([`${"> quoted words\n".repeat(400)}`]).length, 1);
});
