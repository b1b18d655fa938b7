import assert from "node:assert/strict";
import { test } from "node:test";

import { Answer } from "../../static/js/models/answer.js";
import { retryOptions } from "../../static/js/models/thinking_retry.js";

const ALL = { efforts: ["none", "low", "medium", "high"], longest: 8000 };

function answerOf(effort, tokens = 2048) {
  const answer = new Answer("m");
  return Object.assign(answer, { effort, usage: { completion_tokens: tokens } });
}

for (const [effort, efforts, less] of [
  ["", ALL.efforts, "low"],
  ["high", ALL.efforts, "medium"],
  ["low", ALL.efforts, "none"],
  ["none", ALL.efforts, null],
  ["", ["low", "medium", "high"], "low"],
  ["low", ["low", "medium", "high"], null],
  ["high", ["none", "low", "high"], "low"],
  ["", ["none"], "none"],
  ["", [""], null],
]) {
  test(`less than ${effort || "usual"} of ${efforts} is ${less}`, () => {
    const changes = retryOptions("less-thinking", answerOf(effort), { efforts, longest: 1 });
    assert.deepEqual(changes, less && { reasoning_effort: less });
  });
}

test("more room doubles the tokens, up to the model's maximum", () => {
  assert.deepEqual(retryOptions("more-room", answerOf(""), ALL), { max_tokens: 4096 });
  assert.deepEqual(retryOptions("more-room", answerOf("", 5000), ALL), { max_tokens: 8000 });
  assert.equal(retryOptions("more-room", answerOf("", 8000), ALL), null);
  assert.equal(retryOptions("more-room", new Answer("m"), ALL), null);
});

test("with more room, the reasoning effort stays the same", () => {
  assert.deepEqual(retryOptions("more-room", answerOf("high"), ALL), { max_tokens: 4096, reasoning_effort: "high" });
});

test("nothing is offered for an unknown model or another choice", () => {
  assert.equal(retryOptions("more-room", answerOf(""), undefined), null);
  assert.equal(retryOptions("again", answerOf(""), ALL), null);
});
