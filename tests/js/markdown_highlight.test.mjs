/** The output of highlight.js is parsed as spans and four escapes. */

import assert from "node:assert/strict";
import { test } from "node:test";

import hljs from "@highlightjs/cdn-assets/es/core.min.js";
import html from "@highlightjs/cdn-assets/es/languages/xml.min.js";
import python from "@highlightjs/cdn-assets/es/languages/python.min.js";
import { parseHighlighted } from "../../static/js/markdown/code_tools/highlight.js";
import { languageFile, languageName } from "../../static/js/markdown/languages.js";

hljs.registerLanguage("python", python);
hljs.registerLanguage("xml", html);

for (const [language, code] of [
  ["python", 'def f(a: int) -> str:\n    """<b>&amp;</b>"""\n    return f"{a!r} \'x\'"  # <script>\n'],
  ["xml", '<a href="x" onclick=\'y\'>&amp; &lt; <!-- c --></a>\n<script>alert("</b>")</script>'],
  ["python", ""],
]) {
  test(`no character of ${JSON.stringify(code.slice(0, 20))} gets lost`, () => {
    const { value } = hljs.highlight(code, { language });
    const pieces = parseHighlighted(value);
    assert.equal(pieces.map(({ text }) => text).join(""), code);
    assert.ok(pieces.every(({ classes }) => /^(hljs-[\w -]+|[\w -]*)$/.test(classes)));
    if (code) assert.ok(pieces.some(({ classes }) => classes.startsWith("hljs-")));
  });
}

test("names and aliases resolve to files", () => {
  assert.deepEqual(["py", "html", "c++", "sh", "klingon", ""].map(languageFile), ["python", "xml", "cpp", "bash", "", ""]);
  assert.deepEqual(["py", "html", "klingon", "", "constructor"].map(languageName), ["Python", "HTML", "klingon", "Text", "constructor"]);
});
