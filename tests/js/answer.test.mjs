import assert from "node:assert/strict";
import { test } from "node:test";

import { Answer } from "../../static/js/models/answer.js";
import { outcomeAnnouncement, describeOutcome } from "../../static/js/models/outcome.js";

const lost = { code: "lost", message: "The connection is lost.", retryable: true };

function answerOf(...payloads) {
  return storedAnswerOf(0, ...payloads);
}

function storedAnswerOf(messageId, ...payloads) {
  const answer = new Answer("m", () => 0);
  answer.accept({ generationId: "g1", messageId });
  payloads.forEach((payload) => answer.apply(payload));
  return answer;
}

test("text and reasoning are separate, and reasoning is timed", () => {
  let now = 1000;
  const answer = new Answer("m", () => now);
  answer.apply({ response: "", reasoning: "Hm" });
  now = 3500;
  assert.equal(answer.thinkingSeconds, 2.5);
  answer.apply({ response: "", reasoning: "m." });
  answer.apply({ response: "Yes" });
  now = 9000;
  answer.apply({ response: "." });
  assert.equal(answer.reasoning, "Hmm.");
  assert.equal(answer.text, "Yes.");
  assert.equal(answer.reasoningSeconds, 2.5);
});

test("the values of other keys are kept", () => {
  const answer = answerOf({ response: "", omitted_messages: 4 }, { response: "", model: "b", instead_of: "a" });
  assert.deepEqual([answer.omitted, answer.model, answer.insteadOf, answer.state], [4, "b", "a", "waiting"]);
});

test("a text of the server's length is complete", () => {
  const answer = answerOf({ response: "río 🌊" }, { response: "", state: "complete", length: 5, finish_reason: "stop" });
  assert.equal(answer.generationId, "");
  assert.equal(describeOutcome(answer), null);
  assert.equal(outcomeAnnouncement(answer), "Answer complete.");
});

test("a text of another length is read again", () => {
  const answer = answerOf({ response: "rí" }, { response: "", state: "complete", length: 5 });
  assert.equal(answer.generationId, "g1");
  answer.rewind();
  assert.deepEqual([answer.text, answer.state, answer.lastEventId], ["", "waiting", ""]);
  answer.apply({ response: "río 🌊" });
  answer.apply({ response: "", state: "complete", length: 5 });
  assert.equal(answer.generationId, "");
});

test("a failure keeps the text and the ID to load the rest", () => {
  const answer = answerOf({ response: "half" });
  answer.fail(lost);
  assert.deepEqual([answer.state, answer.text, answer.generationId], ["interrupted", "half", "g1"]);
  answer.resume();
  answer.apply({ response: " and half" });
  answer.apply({ response: "", state: "complete", length: 13 });
  assert.equal(answer.generationId, "");
});

test("an answer can be serialised and restored", () => {
  const answer = answerOf({ reasoning: "Hm", response: "" }, { response: "half" }, { response: "", state: "stopped", length: 4, usage: { total_tokens: 7 } });
  const copy = Answer.fromJSON(JSON.parse(JSON.stringify(answer)));
  assert.deepEqual(JSON.parse(JSON.stringify(copy)), JSON.parse(JSON.stringify(answer)));
  assert.ok(copy.isOver);
});

for (const [name, payloads, words, choices] of [
  ["stopped with text", [{ response: "a" }, { state: "stopped", length: 1 }], /^Stopped\. The partial answer was saved/, ["again"]],
  ["stopped before", [{ state: "stopped", length: 0 }], /before the answer started/, ["again", "edit"]],
  ["broken off", [{ response: "a" }, { state: "interrupted", length: 1 }], /was interrupted/, ["again"]],
  ["failed", [{ error: { code: "x", message: "No neurons.", retryable: false } }, { state: "failed", length: 0 }], /^No neurons\.$/, ["again", "edit", "other-model", "dismiss"]],
  ["empty", [{ state: "complete", length: 0, finish_reason: "stop" }], /an empty answer/, ["again", "other-model", "edit"]],
  ["at its length limit", [{ response: "a" }, { state: "complete", length: 1, finish_reason: "length" }], /Reached the length limit/, []],
  ["all thoughts", [{ reasoning: "Hm" }, { state: "complete", length: 0, finish_reason: "length" }], /^Reasoning used up the length limit/, ["more-room", "less-thinking", "again", "edit"]],
  ["thoughts only", [{ reasoning: "Hm" }, { state: "complete", length: 0 }], /^The model only reasoned/, ["again", "other-model", "edit"]],
  ["nothing at its limit", [{ state: "complete", length: 0, finish_reason: "length" }], /an empty answer/, ["again", "other-model", "edit"]],
  ["ended by a filter", [{ response: "a" }, { state: "complete", length: 1, finish_reason: "content_filter" }], /filter stopped/, ["again", "edit"]],
  ["blocked by a filter", [{ state: "complete", length: 0, finish_reason: "content_filter" }], /filter blocked/, ["again", "other-model", "edit"]],
  ["a call of a tool", [{ state: "complete", length: 0, tool_calls: [{ name: "look_up" }] }], /look_up/, ["again"]],
  ["signed out", [{ error: { code: "not_authenticated", message: "Sign in.", retryable: false } }, { state: "failed", length: 0 }], /Sign in/, ["sign-in", "again", "edit", "dismiss"]],
]) {
  test(`an answer that is ${name} says so and offers what to do`, () => {
    const outcome = describeOutcome(answerOf(...payloads));
    assert.match(outcome.words, words);
    assert.deepEqual(outcome.choices, choices);
  });
}

for (const [name, payloads, choices] of [
  ["stopped", [{ response: "a" }, { state: "stopped", length: 1 }], ["continue", "again"]],
  ["stopped before", [{ state: "stopped", length: 0 }], ["again"]],
  ["broken off", [{ response: "a" }, { state: "interrupted", length: 1 }], ["continue", "again"]],
  ["broken off, with more on the server", [{ response: "a" }, { state: "interrupted", length: 2 }], ["again"]],
  ["failed", [{ state: "failed", length: 0 }], ["again"]],
  ["empty", [{ state: "complete", length: 0 }], ["again", "other-model"]],
  ["at its length limit", [{ response: "a" }, { state: "complete", length: 1, finish_reason: "length" }], ["continue"]],
  ["whole", [{ response: "a" }, { state: "complete", length: 1, finish_reason: "stop" }], undefined],
]) {
  test(`a stored answer that is ${name} offers what the server can do`, () => {
    assert.deepEqual(describeOutcome(storedAnswerOf(12, ...payloads))?.choices, choices);
  });
}

test("continuing keeps the earlier text and counts its length", () => {
  const answer = storedAnswerOf(12, { reasoning: "Hm" }, { response: "Half 🌊 " }, { state: "stopped", length: 7 });
  answer.proceed();
  assert.deepEqual([answer.state, answer.text], ["waiting", "Half 🌊 "]);
  answer.accept({ generationId: "g2", messageId: 12 });
  answer.apply({ response: "and half" });
  assert.equal(answer.text, "Half 🌊 and half");
  answer.rewind();
  assert.deepEqual([answer.text, answer.reasoning, answer.state], ["Half 🌊 ", "Hm", "waiting"]);
  answer.apply({ response: "and half" });
  answer.apply({ response: "", state: "complete", length: 15 });
  assert.deepEqual([answer.generationId, answer.state], ["", "complete"]);
});

const refused = (code, facts = {}) => [{ error: { code, message: "No.", retryable: false, ...facts } }, { state: "failed", length: 0 }];

for (const [code, choices] of [
  ["message_too_long", ["edit", "other-model", "dismiss"]],
  ["prompt_too_long", ["other-model", "edit", "dismiss"]],
  ["model_not_allowed", ["other-model", "edit", "dismiss"]],
  ["persona_unavailable", ["new-chat", "edit", "other-model", "dismiss"]],
  ["content_filter", ["other-model", "edit", "dismiss"]],
  ["conflict", ["reload", "edit", "other-model", "dismiss"]],
  ["deleted", ["edit", "new-chat"]],
]) {
  test(`a message refused as ${code} offers what the error says`, () => {
    assert.deepEqual(describeOutcome(answerOf(...refused(code)))?.choices, choices);
  });
}

test("a stored question that a content filter blocked is not offered to the same model again", () => {
  assert.deepEqual(describeOutcome(storedAnswerOf(12, ...refused("content_filter")))?.choices, ["other-model"]);
});

test("a message that may have arrived is not sent to another model", () => {
  const { choices } = describeOutcome(answerOf(...refused("network", { retryable: true })));
  assert.deepEqual(choices, ["again", "edit", "dismiss"]);
});

test("the time at which the provider's limit resets is local", () => {
  const { words } = describeOutcome(answerOf(...refused("allocation_exhausted")));
  const midnight = new Date(Math.ceil(Date.now() / 86_400_000) * 86_400_000);
  assert.doesNotMatch(words, /UTC/);
  assert.match(words, new RegExp(midnight.toLocaleTimeString("en", { hour: "2-digit", minute: "2-digit" })));
});

const call = (state, more = {}) => ({ response: "", tool: { id: "t1", tool: "remember", state, arguments: "{}", ...more } });
const waiting = { response: "", state: "complete", finish_reason: "tool_calls", length: 0 };

test("each step of a tool replaces the one before", () => {
  const answer = answerOf(call("running"), call("done", { count: 2 }));
  assert.deepEqual(answer.tools.map(({ state, count }) => [state, count]), [["done", 2]]);
  answer.rewind(); // the stream starts again
  answer.apply(call("running"));
  assert.equal(answer.tools.length, 1);
});

test("an answer that waits for a person says nothing but asks", () => {
  const answer = storedAnswerOf(7, call("proposed"), waiting);
  assert.equal(describeOutcome(answer), null);
  assert.equal(outcomeAnnouncement(answer), "The model asks for your permission to use a tool.");
});

test("an answer that can go on offers to", () => {
  const answer = storedAnswerOf(7, call("approved"), waiting);
  assert.deepEqual(describeOutcome(answer).choices, ["continue"]);
  assert.deepEqual(describeOutcome(storedAnswerOf(7, call("unknown"), waiting)), null);
});
