import assert from "node:assert/strict";
import { test } from "node:test";

import { Translations } from "../../static/js/lib/i18n.js";

const tokens = (words, count) => words.plural(count, "{count} token", "{count} tokens");

test("without a catalogue, texts are English", () => {
  const words = new Translations("en");
  assert.equal(words.t("Sent to {name}.", { name: "llama" }), "Sent to llama.");
  assert.deepEqual([tokens(words, 1), tokens(words, 2), tokens(words, 12345)], ["1 token", "2 tokens", "12,345 tokens"]);
});

test("a text without a translation stays English", () => {
  assert.equal(new Translations("de", { Send: "Senden" }).t("Stop"), "Stop");
  assert.equal(tokens(new Translations("de", {}), 2), "2 tokens");
});

test("placeholders without a value stay, and inherited object properties are not texts", () => {
  const words = new Translations("en");
  assert.equal(words.t("an {odd} text"), "an {odd} text");
  assert.equal(words.t("toString"), "toString");
});

test("German has two plural forms and its own number format", () => {
  const words = new Translations("de", { "{count} token": ["ein Token", "{count} Token"] });
  assert.deepEqual([0, 1, 12345].map((count) => tokens(words, count)), ["0 Token", "ein Token", "12.345 Token"]);
});

test("French counts none and a half as one, and millions as other numbers", () => {
  const words = new Translations("fr", { "{count} token": ["one {count}", "many {count}"] });
  const expected = ["one 0", "one 1", "one 1,5", "many 2", "many 1\u202f000\u202f000"];
  assert.deepEqual([0, 1, 1.5, 2, 1_000_000].map((count) => tokens(words, count)), expected);
});

test("Arabic has six plural forms, in gettext's order", () => {
  const forms = ["zero", "one", "two", "few", "many", "other"];
  const words = new Translations("ar", { "{count} token": forms });
  const counts = [0, 1, 2, 3, 10, 11, 99, 100, 101, 103, 111];
  const expected = ["zero", "one", "two", "few", "few", "many", "many", "other", "other", "few", "many"];
  assert.deepEqual(counts.map((count) => tokens(words, count)), expected);
});

test("a translation with too few forms uses its last", () => {
  assert.equal(tokens(new Translations("ar", { "{count} token": ["a", "b"] }), 50), "b");
});

test("values keep their direction in a sentence of the other direction", () => {
  const words = new Translations("ar", {}, { isRtl: true });
  assert.equal(words.t("Waiting for {name}", { name: "GPT" }), "Waiting for \u2068GPT\u2069");
});

test("dates use the reader's region with the server's digits", () => {
  assert.equal(new Translations("en", {}, { preferred: ["de-DE", "en-GB", "en-US"] }).locale, "en-GB-u-nu-latn");
  assert.equal(new Translations("en", {}, { preferred: ["en-US@posix"] }).locale, "en-u-nu-latn");
  assert.equal(new Translations("ar", {}, { preferred: ["fr"] }).locale, "ar-u-nu-latn");
});
