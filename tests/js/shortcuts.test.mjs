import assert from "node:assert/strict";
import { test } from "node:test";

import { lastCodeBlock } from "../../static/js/lib/code_blocks.js";
import { matchesWords } from "../../static/js/lib/text_match.js";
import { SHORTCUTS, commandForKey, keyLabels } from "../../static/js/models/shortcuts.js";

const press = (key, code, held = {}) => ({
  key, code, ctrlKey: false, metaKey: false, shiftKey: false, altKey: false, ...held,
});
const PC = { isMac: false, isTyping: true };
const MAC = { isMac: true, isTyping: true };

test("each shortcut calls its command, with Ctrl or with ⌘", () => {
  for (const { id, key, code, mod = false, shift = false } of SHORTCUTS) {
    const name = key === "Esc" ? "Escape" : key;
    assert.equal(commandForKey(press(name, code, { ctrlKey: mod, shiftKey: shift }), PC), id);
    assert.equal(commandForKey(press(name, code, { metaKey: mod, shiftKey: shift }), MAC), id);
  }
});

test("no two commands have the same keys", () => {
  const keys = SHORTCUTS.map((shortcut) => keyLabels(shortcut, true).join(""));
  assert.equal(new Set(keys).size, keys.length);
});

test("other keys do nothing", () => {
  const nothing = [
    press("k", "KeyK"),
    press("k", "KeyK", { metaKey: true }),
    press("k", "KeyK", { ctrlKey: true, shiftKey: true }),
    press("k", "KeyK", { ctrlKey: true, altKey: true }), // AltGr
    press("k", "KeyK", { ctrlKey: true, metaKey: true }),
    press("c", "KeyC", { ctrlKey: true }),
    press("?", "Slash", { shiftKey: true }),
  ];
  for (const event of nothing) assert.equal(commandForKey(event, PC), "");
  assert.equal(commandForKey(press("k", "KeyK", { ctrlKey: true }), MAC), "");
});

test("a question mark opens the list unless the user is typing", () => {
  assert.equal(commandForKey(press("?", "Slash", { shiftKey: true }), { ...PC, isTyping: false }), "shortcuts");
});

test("on keyboards without Latin letters, the position of a key counts", () => {
  assert.equal(commandForKey(press("ن", "KeyK", { ctrlKey: true }), PC), "palette");
  assert.equal(commandForKey(press("Л", "KeyK", { ctrlKey: true }), PC), "palette");
  assert.equal(commandForKey(press("k", "KeyV", { ctrlKey: true }), PC), "palette"); // Dvorak
  assert.equal(commandForKey(press("t", "KeyK", { ctrlKey: true }), PC), ""); // Dvorak
});

test("characters are found on whichever key has them", () => {
  assert.equal(commandForKey(press("/", "Digit7", { ctrlKey: true, shiftKey: true }), PC), "shortcuts"); // German
  assert.equal(commandForKey(press(":", "Semicolon", { ctrlKey: true, shiftKey: true }), PC), "copy-code");
  assert.equal(commandForKey(press(";", "Comma", { ctrlKey: true, shiftKey: true }), PC), "copy-code"); // German
});

test("keys are labelled as on the keyboard", () => {
  const copy = SHORTCUTS.find(({ id }) => id === "copy-answer");
  assert.deepEqual(keyLabels(copy, true), ["⌘", "⇧", "C"]);
  assert.deepEqual(keyLabels(copy, false), ["Ctrl", "Shift", "C"]);
});

test("the last block of code is found", () => {
  const cases = {
    "": "",
    "no code, `inline` only": "",
    "```\none\n```\n\n~~~py\ntwo\n\n  three\n~~~\nend": "two\n\n  three",
    "```js\nstill being written": "still being written",
    "````md\n```\ninner\n```\n````": "```\ninner\n```",
    "- a list\n  ```sh\n  ls\n    -l\n  ```\n": "ls\n  -l",
    "```\n```": "",
  };
  for (const [text, code] of Object.entries(cases)) assert.equal(lastCodeBlock(text), code, text);
});

test("words match in any case, any order, with or without accents", () => {
  assert.ok(matchesWords("NEW chat", "New chat"));
  assert.ok(matchesWords("chat new", "New chat"));
  assert.ok(matchesWords("uber", "Über Flüsse"));
  assert.ok(matchesWords("", "anything"));
  assert.ok(!matchesWords("new river", "New chat"));
});
