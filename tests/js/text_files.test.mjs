import assert from "node:assert/strict";
import test from "node:test";

import { decodeText, fencedFile, imageLine, joinFiles, joinMessages, onItsOwnLine, splitFiles } from "../../static/js/lib/text_files.js";

const utf8 = (text) => new TextEncoder().encode(text);

test("text is decoded as UTF-8, whatever its line ends", () => {
  assert.equal(decodeText(utf8("Größe\r\n河\rend\n")), "Größe\n河\nend\n");
  assert.equal(decodeText(utf8("\ufeffname;km\n")), "name;km\n");
  assert.equal(decodeText(utf8("")), "");
});

test("text with a byte order mark is decoded as UTF-16, other text as Windows-1252", () => {
  assert.equal(decodeText(new Uint8Array([0xff, 0xfe, 0x41, 0, 0xe4, 0])), "Aä");
  assert.equal(decodeText(new Uint8Array([0xfe, 0xff, 0, 0x41])), "A");
  assert.equal(decodeText(new Uint8Array([0x47, 0x72, 0xf6, 0xdf, 0x65])), null); // the server guesses the encoding
});

test("terminal colours are text, files with other control characters are binary", () => {
  assert.equal(decodeText(utf8("\u001b[31mred\u001b[0m\tend\f")), "\u001b[31mred\u001b[0m\tend\f");
  assert.equal(decodeText(new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0])), null);
  assert.equal(decodeText(utf8("%PDF-1.7\n\u0001\u0002")), null);
  assert.equal(decodeText(utf8("%PDF-1.4\n1 0 obj")), null);
  assert.equal(decodeText(utf8("{\\rtf1 Hello}")), null);
});

test("a file becomes a block under its name", () => {
  assert.equal(fencedFile("notes.TXT", "one\ntwo"), "notes.TXT:\n```txt\none\ntwo\n```\n");
  assert.equal(fencedFile("Makefile", "all:\n"), "Makefile:\n```file\nall:\n```\n");
  assert.equal(fencedFile("empty.csv", ""), "empty.csv:\n```csv\n```\n");
  assert.equal(fencedFile("two\nlines.md", "x\n"), "two lines.md:\n```md\nx\n```\n");
});

test("the file that a text was read from is named after its language", () => {
  const original = "0b".repeat(16);
  const block = fencedFile("lake.pdf", "Calm", original);
  assert.equal(block, `lake.pdf:\n\`\`\`pdf file:${original}\nCalm\n\`\`\`\n`);
  assert.equal(splitFiles(block).files[0].original, original);
  assert.equal(splitFiles(fencedFile("lake.pdf", "Calm")).files[0].original, undefined);
});

test("a fence inside a file does not end its block", () => {
  assert.equal(fencedFile("a.md", "```js\n1\n```\n"), "a.md:\n````md\n```js\n1\n```\n````\n");
  assert.match(fencedFile("a.md", "  ``````\n"), /^a\.md:\n`{7}md\n/);
  assert.match(fencedFile("a.md", "text ````` in a line\n"), /^a\.md:\n```md\n/);
});

test("a block starts on a line of its own", () => {
  assert.equal(onItsOwnLine("", "x"), "x");
  assert.equal(onItsOwnLine("Read this:", "x"), "\nx");
  assert.equal(onItsOwnLine("Read this:\n", "x"), "x");
});

test("the files at the end of a message are found", () => {
  const files = fencedFile("a.md", "```js\n1\n```\n") + fencedFile("Makefile", "all:\n") + fencedFile("empty.csv", "");
  const message = `Read this:\n\n${files}`;
  const found = splitFiles(message);
  assert.equal(found.text, "Read this:\n\n");
  assert.deepEqual(found.files.map(({ name, content }) => [name, content]), [
    ["a.md", "```js\n1\n```\n"],
    ["Makefile", "all:\n"],
    ["empty.csv", ""],
  ]);
  assert.equal(found.text + found.files.map(({ block }) => block).join(""), message);
});

test("a message is split and joined without a change", () => {
  const block = fencedFile("a.py", "print(1)");
  for (const message of ["", "a", "a\n", block, `a\n${block}`, `${block}${block}`, block.trimEnd(), `a.py:\n\`\`\`py\n`]) {
    const { text, files } = splitFiles(message);
    assert.equal(text + files.map((file) => file.block).join(""), message);
  }
  assert.equal(joinFiles("Look", splitFiles(block).files), `Look\n${block}`);
  assert.equal(joinFiles("", splitFiles(block.trimEnd()).files), block);
});

test("code in a message is no file", () => {
  const fenced = (name, language) => `${name}:\n\`\`\`${language}\nx\n\`\`\`\n`;
  for (const message of [
    fenced("Here is the code", "py"),
    fenced("Here is the code", ""),
    fenced("a.py", "js"),
    `${fenced("a.py", "py")}What does it do?`,
    "a.py:\n```py\nx\n",
  ]) {
    assert.deepEqual(splitFiles(message), { text: message, files: [] });
  }
});

test("two messages become one, with the files of both at its end", () => {
  const [one, two] = [fencedFile("one.txt", "1"), fencedFile("two.txt", "2")];
  assert.equal(joinMessages(`First\n${one}`, `Second\n${two}`), `First\n\nSecond\n${one}${two}`);
  assert.equal(joinMessages("First", ""), "First");
});

test("an image is a line with its name and digest", () => {
  const digest = "0a".repeat(16);
  const line = imageLine("two\nlines [big].png", digest);
  assert.equal(line, `![two lines [big].png](image:${digest})\n`);
  const message = `What?\n${line}${fencedFile("a.py", "1")}${line}`;
  const found = splitFiles(message);
  assert.equal(found.text, "What?\n");
  assert.deepEqual(found.files.map(({ name, image }) => [name, image]), [
    ["two lines [big].png", digest],
    ["a.py", undefined],
    ["two lines [big].png", digest],
  ]);
  assert.equal(joinFiles(found.text, found.files), message);
  for (const text of [`${line}And?`, `See ${line}`, line.replace("0a", "0g")]) {
    assert.deepEqual(splitFiles(text).files, []);
  }
});

test("a file is found in the message, even without a name", () => {
  for (const name of [" ", "\u2028", "notes.md"]) {
    const { text, files } = splitFiles(joinFiles("Why?", [{ block: fencedFile(name, "```\nx") }]));
    assert.deepEqual([text, files.length], ["Why?\n", 1]);
  }
});

test("a file may have more fences than a function takes arguments", () => {
  assert.match(fencedFile("notes.md", "```\n".repeat(200_000)), /^notes.md:\n````md\n/);
});
