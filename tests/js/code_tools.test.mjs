/** What blocks of code offer: tables of comma-separated values, names of files. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { MAX_ROWS, parseCsv } from "../../static/js/markdown/code_tools/csv.js";
import { fileName } from "../../static/js/markdown/code_tools/file_names.js";
import { languageFile } from "../../static/js/markdown/languages.js";
import { previewKind } from "../../static/js/markdown/preview/preview_kind.js";

const rowsOf = (text, separator) => parseCsv(text, separator).rows;

test("cells may be quoted and hold commas, quotes and line ends", () => {
  assert.deepEqual(rowsOf('a,"b, c"\r\n"d ""e""","f\ng"\n'), [["a", "b, c"], ['d "e"', "f\ng"]]); // prettier-ignore
  assert.deepEqual(rowsOf("a,,b\n,\n"), [["a", "", "b"], ["", ""]]); // prettier-ignore
});

test("a quote that does not enclose a cell is text", () => {
  assert.deepEqual(rowsOf('a,6" nail\n"b" c,"open'), [["a", '6" nail'], ['"b" c', '"open']]); // prettier-ignore
});

test("the separator is found in the first line, unless it is given", () => {
  assert.deepEqual(rowsOf("a;b;c,d\n1,5;2;3"), [["a", "b", "c,d"], ["1,5", "2", "3"]]); // prettier-ignore
  assert.deepEqual(rowsOf("a\tb,c", "\t"), [["a", "b,c"]]);
});

test("rows, columns and cells are bounded", () => {
  const { rows, count } = parseCsv("a,b\n".repeat(5_000));
  assert.deepEqual([rows.length, count], [MAX_ROWS + 1, 5_000]);
  assert.equal(rowsOf("a,".repeat(1_000))[0].length, 30);
  assert.equal(rowsOf(`${"a".repeat(9_000)},b`)[0][0].length, 500);
});

for (const [name, text] of Object.entries({ quotes: '"', "quoted lines": '"a\n', "odd quotes": '"""a,', "even quotes": '""a,', lines: "a\n", separators: "," })) {
  test(`100 KB of ${name} are read in linear time`, () => {
    assert.ok(parseCsv(text.repeat(100_000 / text.length), ",").count > 0);
  });
}

test("a file is named for its language", () => {
  const names = ["py", "html", "dockerfile", "yml", "rust", "", "klingon", "../../x", "csv", "tsx", "c++", "mermaid", "svg"].map((each) => fileName(each, languageFile(each)));
  assert.deepEqual(names, ["code.py", "code.html", "Dockerfile", "code.yaml", "code.rs", "code.txt", "code.txt", "code.txt", "code.csv", "code.tsx", "code.cpp", "code.mmd", "code.svg"]); // prettier-ignore
});

test("pages, images and diagrams have a preview", () => {
  const kinds = ["html", "svg", "mermaid", "py", "", "xml", "constructor"].map((each) => previewKind(each, "<svg>"));
  assert.deepEqual(kinds, ["page", "image", "diagram", undefined, undefined, "image", undefined]);
});

test("XML is an image if it begins with one", () => {
  const texts = ["<svg viewBox='0 0 1 1'/>", " <?xml version='1.0'?>\n<SVG>", "<?xml version='1.0'?><rss>", "<?xml <svg>", "<svgs>", "", "<a><svg>"]; // prettier-ignore
  const kinds = texts.map((each) => previewKind("xml", each) ?? "");
  assert.deepEqual(kinds, ["image", "image", "", "", "", "", ""]);
});
