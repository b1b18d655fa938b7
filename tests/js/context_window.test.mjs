import assert from "node:assert/strict";
import { test } from "node:test";

import { estimateTokens, usedTokens } from "../../static/js/models/context_window.js";

const exchange = (question, text, usage = null) => ({ question, answer: { text, usage } });

test("an empty conversation takes no tokens", () => {
  assert.equal(usedTokens([]), 0);
  assert.equal(estimateTokens(""), 0);
});

test("tokens counted by the model are used unchanged", () => {
  const counted = exchange("x".repeat(900), "y".repeat(900), { prompt_tokens: 70, completion_tokens: 30 });
  assert.equal(usedTokens([exchange("a", "b"), counted]), 100);
});

test("later text is estimated by bytes, as on the server", () => {
  const counted = exchange("a", "b", { prompt_tokens: 70, completion_tokens: 30 });
  assert.equal(usedTokens([counted, exchange("x".repeat(30), "")]), 100 + 10 + 4);
  assert.equal(estimateTokens("نهر"), 2 + 4);
});

test("a stopped answer without a count does not hide an earlier count", () => {
  const counted = exchange("a", "b", { prompt_tokens: 7, completion_tokens: 3 });
  const stopped = exchange("abc", "def", { completion_tokens: 3 });
  assert.equal(usedTokens([counted, stopped]), 10 + 2 * 5);
});
