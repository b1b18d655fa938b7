/** Where links lead, and what is shown beside misleading ones. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { safeUrl, hostNote } from "../../static/js/markdown/links.js";
import { outlineOf, read } from "./markdown_pages.mjs";

const shown = (markdown) => outlineOf(read([markdown]));
const REL = "rel=noopener noreferrer nofollow ugc target=_blank";

for (const href of ["https://example.org/a?b#c", "http://example.org", "mailto:a@example.org", "tel:+4930123456"]) {
  test(`${href} can be followed`, () => assert.equal(safeUrl(href)?.href.startsWith(href), true));
}

const REFUSED = [
  "javascript:alert(1)", "JaVaScRiPt:alert(1)", "java\tscript:alert(1)", " javascript:alert(1)", "\u0001javascript:alert(1)",
  "data:text/html,<script>alert(1)</script>", "vbscript:msgbox", "blob:https://example.org/1", "file:///etc/passwd",
  "view-source:https://example.org", "intent://x#Intent;end", "/chat/", "//example.org", "chat/", "#top", "?a", "", "https://",
  "https:///", "about:blank", "filesystem:https://a.b/c", "ws://example.org", "javascript&colon;alert(1)",
]; // prettier-ignore
for (const href of REFUSED) {
  test(`${JSON.stringify(href)} is shown as text`, () => assert.equal(safeUrl(href), null));
}

test("a link opens a new tab without a referrer", () => {
  assert.equal(shown("[a](https://example.org/)"), `p[a(href=https://example.org/ ${REL})["a"]]`);
});

test("a link without a valid URL is shown as its text", () => {
  assert.equal(shown("[a *b*](javascript:alert) [c](/chat/)"), 'p["a ", em["b"], " c"]');
  assert.equal(shown("<javascript:alert(1)>"), 'p["javascript:alert(1)"]');
});

test("character references in a URL are decoded", () => {
  assert.equal(shown("[a](&#106;avascript:alert)"), 'p["a"]');
  assert.match(shown("[a](https://example.org/?a&amp;b)"), /href=https:\/\/example\.org\/\?a&b /);
});

test("an image is a link with its text and host, and is not loaded", () => {
  const link = `a(class=picture href=https://t.example/m.png?q=1 ${REL})`;
  assert.equal(shown("![A map](https://t.example/m.png?q=1)"), `p[${link}["A map", " ", bdi(class=host)["(t.example)"]]]`);
  assert.match(shown("![](https://t.example/)"), /"Image", " ", bdi/);
  assert.equal(shown("![A map](data:image/png;base64,AAAA)"), 'p["A map"]');
  assert.match(shown("[![A map](https://t.example/m.png)](https://example.org)"), /^p\[a\(href=https:\/\/example\.org\/ [^[]*\["A map"\]\]$/);
});

const note = (label, href) => hostNote(label, new URL(href));

test("the host is shown beside a label in which nobody would find another", () => {
  assert.equal(note("a".repeat(1_001), "https://example.org/"), "example.org");
  assert.equal(note("a".repeat(1_000), "https://example.org/"), "");
  assert.equal(note("1".repeat(1_001), "mailto:a@example.org"), "a@example.org");
});

test("a host after many labels or a long one is still found", () => {
  assert.equal(note(`${"a.".repeat(40)}evil.example`, "https://example.org/"), "example.org");
  assert.equal(note(`${"a".repeat(100)}.evil.example`, "https://example.org/"), "example.org");
});

for (const [label, href] of [
  ["the article", "https://example.org/"],
  ["example.org", "https://example.org/"],
  ["www.example.org", "https://example.org/"],
  ["EXAMPLE.org", "https://www.example.org/"],
  ["https://example.org/path/file.html?x=a.b", "https://example.org/path/file.html?x=a.b"],
  ["example.org:8080/x.y", "https://example.org:8080/x.y"],
  ["Python 3.12", "https://docs.python.org/3.12/"],
  ["e.g. this", "https://example.org/"],
  ["a@example.org", "mailto:a@example.org"],
  ["Write to us", "mailto:a@example.org"],
  ["Call us", "tel:+4930123456"],
]) {
  test(`"${label}" is not misleading for ${href}`, () => assert.equal(note(label, href), ""));
}

for (const [label, href, expected] of [
  ["google.com", "https://evil.example/", "evil.example"],
  ["https://google.com/login", "https://evil.example/google.com", "evil.example"],
  ["Sign in at https://google.com", "https://evil.example/", "evil.example"],
  ["google.com⁄login", "https://google.com.evil.example/", "google.com.evil.example"],
  ["ｇｏｏｇｌｅ.com", "https://evil.example/", "evil.example"],
  ["google。com", "https://evil.example/", "evil.example"],
  ["gооgle.com", "https://gооgle.com/", "xn--ggle-55da.com"],
  ["the bank", "https://xn--bnk-5cd.example/", "xn--bnk-5cd.example"],
  ["google.com", "https://google.com@evil.example/", "evil.example"],
  ["https://google.com@evil.example/", "https://google.com@evil.example/", "evil.example"],
  ["goo\u200bgle.com", "https://evil.example/", "evil.example"],
  ["\u202emoc.elgoog", "https://evil.example/", "evil.example"],
  ["the article", "https://evil.example/%E2%80%AEgnp.x", "evil.example"],
  ["192.0.2.1", "https://192.0.2.9/", "192.0.2.9"],
  ["https:\\\\google.com", "https://evil.example/", "evil.example"],
  ["bank@example.org", "mailto:thief@evil.example", "thief@evil.example"],
  ["0800 123 456", "tel:+99900123", "+99900123"],
]) {
  test(`${JSON.stringify(label)} to ${href} shows its host`, () => assert.equal(note(label, href), expected));
}

test("direction characters are removed from links", () => {
  assert.match(shown("[\u202emoc.elgoog\u202c](https://evil.example/)"), /\["moc\.elgoog", " ", bdi\(class=host\)\["\(evil\.example\)"\]\]/);
});

test("a link without text shows its URL", () => {
  assert.match(shown("[](https://example.org/a)"), /\["https:\/\/example\.org\/a"\]/);
  assert.match(shown("[ ](https://example.org/a)"), /\["https:\/\/example\.org\/a"\]/);
});
