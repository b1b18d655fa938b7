/** Formulas between single dollars, footnotes, keys and sections that fold. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { outlineOf, read } from "./markdown_pages.mjs";

const shown = (...pieces) => outlineOf(read(pieces));
const steps = (text) => {
  const found = [];
  read([...text], (page) => found.push(outlineOf(page)));
  return found;
};

const FORMULAS = {
  "$x^2$": "x^2",
  "so $f(x) = 2$, then": "f(x) = 2",
  "the $n$th": "n",
  "设$x$是": "x",
  "$20$": "20",
  "$2 \\pi r$": "2 \\pi r",
  "**$a*b*c$**": "a*b*c",
  "$\\text{5 \\$}$": "\\text{5 \\$}",
};
for (const [text, formula] of Object.entries(FORMULAS)) {
  test(`${text} is a formula`, () => {
    assert.ok(shown(text).includes(`span(class=maths)[${JSON.stringify(formula)}]`), shown(text));
  });
}

const PRICES = [
  "from $5 to $10", "$5-$7", "US$5 and CA$6", "$20,000 and $30,000", "$20,000 and 30,000$", "$5 or 6$", "$5/month or 50$",
  "a $ b $ c", "$x $", "$ x$", "$HOME/bin:$PATH", "$1$2", "$a$_b", "$a `b$` c", "$$", "\\$5 and 6$", "$5", "costs $.",
]; // prettier-ignore
for (const text of PRICES) {
  test(`${text} has no formula`, () => assert.doesNotMatch(shown(text), /maths/));
}

test("no formula is shown before its end is known", () => {
  const seen = steps("cost $5 and x$1 or $x$ more");
  assert.ok(seen.slice(0, -6).every((step) => !step.includes("maths")), seen.join("\n"));
  assert.match(seen.at(-1), /span\(class=maths\)\["x"\], " more"/);
});

test("a footnote has a reference and a text, and leads from one to the other", () => {
  const page = shown("Rivers[^1] bend[^Why].\n\n[^1]: *Long* ones.\n[^why]: Water\nis lazy.\n\n    So am I.\n\nEnd");
  assert.match(page, /^p\["Rivers", sup\[button\(type=button class=footnote-reference aria-label=Footnote 1 data-note=1\)\["1"\]\], " bend"/);
  assert.match(page, /div\(class=footnote role=note tabindex=-1 aria-label=Footnote 1 data-note=1\)\[span\["1"\], button\(type=button class=footnote-back aria-label=Back to the text\)\["↩"\], p\[em\["Long"\], " ones\."\]\]/);
  assert.match(page, /p\["Water\\nis lazy\."\], p\["So am I\."\]\], p\["End"\]$/);
});

test("a reference without a footnote is text", () => {
  for (const text of ["[^1] and [^x]", "`x`[^0-9]", "[^1]\n\n> b\n\nc\n\nd"]) assert.doesNotMatch(shown(...text), /button/);
  assert.match(shown("[^a](https://example.org/)"), /^p\[a\(/);
});

test("a number is taken for a reference before its footnote arrives", () => {
  const seen = steps("Rivers[^1] bend.\n\nOne\n\nTwo\n\nThree\n\n[^1]: Long.");
  assert.ok(seen.every((step) => !step.includes("[^")), seen.join("\n"));
});

test("a footnote in a link is no button", () => {
  assert.match(shown("[a[^1]](https://example.org/)\n\n[^1]: b"), /\["a\[\^1\]"\]/);
});

test("keys are shown as such, without attributes only", () => {
  assert.equal(shown("<kbd>Ctrl</kbd>+<KBD>a & *b*</KBD>"), 'p[kbd["Ctrl"], "+", kbd["a & ", em["b"]]]');
  assert.equal(shown("<kbd class=x>a</kbd>"), 'p["<kbd class=x>a</kbd>"]');
  assert.equal(shown("<kbd>a"), 'p["<kbd>a"]');
  assert.ok(steps("press <kbd>Esc</kbd>").every((step) => !step.includes("<")));
});

test("indices and powers in HTML are shown as such, without attributes only", () => {
  assert.equal(shown("H<sub>2</sub>O, x<sup>*n*</sup>"), 'p["H", sub["2"], "O, x", sup[em["n"]]]');
  assert.equal(shown("x<sup id=a>2</sup>"), 'p["x<sup id=a>2</sup>"]');
  assert.equal(shown("<sub>2</sup>"), 'p["<sub>2</sup>"]');
  assert.ok(steps("CO<sub>2</sub>").every((step) => !step.includes("<")));
});

test("a section folds, with Markdown in it and in its summary", () => {
  assert.equal(
    shown("<details>\n<summary>More *here*</summary>\n\n- a\n- b\n\n</details>\n\nc"),
    'details[summary["More ", em["here"]], ul[li["a"], li["b"]]], p["c"]',
  );
  assert.equal(shown("<details><summary>S</summary>a</details>b"), 'details[summary["S"], p["a"]], p["b"]');
  assert.equal(shown("a\n<details>\nb\n</details>"), 'p["a"], details[summary["Details"], p["b"]]');
});

test("sections nest, and a fence hides an end", () => {
  assert.equal(
    shown("<details>\na\n\n<details>\nb\n</details>\n\nc\n</details>\nd"),
    'details[summary["Details"], p["a"], details[summary["Details"], p["b"]], p["c"]], p["d"]',
  );
  assert.match(shown("<details>\n\n```\n</details>\n```\n\na\n</details>\n\nb"), /p\["a"\]\], p\["b"\]$/);
});

test("a section with attributes or in a sentence is text", () => {
  for (const text of ["<details open ontoggle=alert(1)>\na\n</details>", "a <details> b", "</details>", "<details", "<detailsx>\na"]) {
    assert.doesNotMatch(shown(text), /details(?:\[|\()/, text);
  }
});

test("a section keeps its element while it is written", () => {
  const text = "<details>\n<summary>Sum</summary>\n\n" + "One two.\n\n".repeat(8) + "</details>\n\nEnd";
  const seen = steps(text);
  assert.ok(seen.every((step) => !/<|\p{L}details/u.test(step)), seen.find((step) => /</.test(step)));
  assert.equal(new Set(seen.filter(Boolean).map((step) => step.split("[", 1)[0])).size, 1);
});
