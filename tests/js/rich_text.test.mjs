/** What is copied from an answer: HTML for documents, tab-separated values for spreadsheets. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { cellText, richText } from "../../static/js/markdown/rich_text.js";

const text = (data) => ({ nodeType: 3, data, textContent: data, childNodes: [] });

/** Return as much of an element as is read. */
function el(localName, attributes, ...children) {
  const childNodes = children.map((child) => (typeof child === "string" ? text(child) : child));
  return {
    nodeType: 1,
    localName,
    childNodes,
    textContent: childNodes.map(({ textContent }) => textContent).join(""),
    getAttribute: (name) => attributes[name] ?? null,
    hasAttribute: (name) => name in attributes,
    closest: () => attributes.closest ?? null,
    nextSibling: attributes.next ? text(attributes.next) : null,
  };
}

for (const [what, node, expected] of [
  ["text is escaped", el("p", {}, '<img src=x onerror="x"> & more'), "<p>&lt;img src=x onerror=&quot;x&quot;&gt; &amp; more</p>"],
  ["headings begin at the top", el("h3", {}, "Rivers"), "<h1>Rivers</h1>"],
  ["only the needed attributes are kept", el("p", { onclick: "x", style: "x", class: "x" }, "a"), "<p>a</p>"],
  ["buttons are left out", el("div", {}, el("button", {}, "Copy"), "a"), "a"],
  ["numbers of footnotes stay", el("button", { class: "footnote-reference" }, "1"), "<sup>1</sup>"],
  ["unknown elements become their text", el("x-widget", {}, el("script", {}, "alert(1)"), "a"), "a"],
  ["links keep their address", el("a", { href: 'https://example.org/?"a' }, "b"), '<a href="https://example.org/?&quot;a">b</a>'],
  ["other addresses don't", el("a", { href: "javascript:alert(1)" }, "b"), "b"],
  ["lists keep their first number", el("ol", { start: "7" }, el("li", {}, "a")), '<ol start="7"><li>a</li></ol>'],
  ["tasks keep their state", el("li", {}, el("input", { checked: "" }), "a"), "<li>☑ a</li>"],
  ["code is its source", el("div", { class: "code-block" }, "Python Copy"), "<pre><code>a &lt; b</code></pre>"],
  ["formulas are their source", el("span", { class: "maths display" }, "xx"), "$$a &lt; b$$"],
  ["cells keep their side", el("td", { class: "to-right" }, "1"), '<td align="right">1</td>'],
  ["a cell has no line break", el("td", {}, "a", el("br", { closest: "td" }), "=1"), "<td>a =1</td>"],
  ["a formula in a paragraph is not computed", el("p", {}, "=1+1"), "<p>'=1+1</p>"],
  ["nor is one on a line of its own", el("p", {}, "a", el("br", { next: "=1" }), "=1"), "<p>a<br>'=1</p>"],
  ["a negative number in a sentence stays", el("p", {}, "-1 °C is cold"), "<p>-1 °C is cold</p>"],
  ["cells are not computed", el("td", {}, '=HYPERLINK("x")'), "<td>'=HYPERLINK(&quot;x&quot;)</td>"],
]) {
  test(`in HTML, ${what}`, () => assert.equal(richText(node, () => "a < b"), expected));
}

for (const [written, expected] of [
  ["Rhine", "Rhine"], ["two\n lines\tor more", "two lines or more"], ["-12.5 %", "-12.5 %"], ["+1,200", "+1,200"], ["-", "-"],
  ["=1+1", "'=1+1"], ["@SUM(A1)", "'@SUM(A1)"], ["-1+cmd|' /C calc'!A0", "'-1+cmd|' /C calc'!A0"], ["＝1", "'＝1"],
]) {
  test(`a cell with ${JSON.stringify(written)} is ${JSON.stringify(expected)} in a spreadsheet`, () => {
    assert.equal(cellText(written), expected);
  });
} // prettier-ignore
