import assert from "node:assert/strict";
import { test } from "node:test";

import { OtherAnswer } from "../../static/js/models/other_answer.js";
import { StoredConversation } from "../../static/js/models/stored_conversation.js";
import { decidePair } from "../../static/js/api/pairs.js";
import { PLACE, done, frame, json, site, stream } from "./fake_site.mjs";

const whole = frame(1, { response: "Hello" }) + frame(2, { response: "", state: "complete", length: 5 }) + done(3);
const TURN = { id: 12, parent: 11, role: "assistant", text: "", reasoning: "", created_at: "", generation: "g1", state: "running" };

function other(script, model = "m") {
  const { env, requests } = site(script);
  const events = [];
  const note = (name) => () => events.push(name);
  const listener = { started: note("started"), accepted: note("accepted"), changed() {}, ended: note("ended"), stopFailed() {} };
  return { answer: new OtherAnswer(env, "c1", model, listener), requests, events };
}

test("it is asked for beside an answer, and follows its own stream", async () => {
  const { answer, requests, events } = other([stream(whole, { place: PLACE })]);
  const running = answer.ask(7, "llama");
  assert.ok(answer.isRunning);
  await running;
  const body = JSON.parse(requests[0].body);
  assert.deepEqual([requests[0].url, body.beside, body.model], ["/chat/c1/messages", 7, "llama"]);
  assert.deepEqual([answer.answer.text, answer.answer.state, answer.isRunning], ["Hello", "complete", false]);
  assert.deepEqual(events, ["started", "accepted", "ended"]);
});

test("without a name, the pair has the model", async () => {
  const { answer, requests } = other([stream(whole, { place: PLACE })]);
  await answer.ask(7);
  assert.equal("model" in JSON.parse(requests[0].body), false);
});

test("a refusal is its own, with the words of the server", async () => {
  const error = { code: "quota_exceeded", message: "You already have an answer in progress.", retryable: true };
  const { answer, events } = other([json(429, { error })]);
  await answer.ask(7);
  assert.deepEqual([answer.answer.state, answer.answer.problem.message], ["failed", error.message]);
  assert.deepEqual(events, ["started", "ended"]);
});

test("after a reload, it is loaded and followed to its end", async () => {
  const { answer, requests } = other([json(200, TURN), stream(whole)], "Answer B");
  await answer.load(12);
  assert.deepEqual(requests.map(({ url }) => url), ["/chat/c1/messages/12", "/generations/g1/stream"]);
  assert.deepEqual([answer.answer.text, answer.answer.state], ["Hello", "complete"]);
  assert.equal(answer.answer.model, "Answer B"); // the server doesn't tell it
});

test("one that has ended is not followed", async () => {
  const { answer, requests, events } = other([json(200, { ...TURN, text: "Hello", state: "complete", model: "llama" })]);
  await answer.load(12);
  assert.deepEqual([requests.length, answer.answer.model, events.join()], [1, "llama", "ended"]);
});

test("once it is left, it tells nothing more", async () => {
  const { answer, events } = other([stream(whole, { place: PLACE })]);
  const running = answer.ask(7);
  answer.leave();
  await running;
  assert.equal(events.includes("ended"), false);
  assert.equal(answer.isRunning, false);
});

test("a sent comparison is known before the server has told its pair", () => {
  const conversation = new StoredConversation();
  const exchange = conversation.add("Hi", "llama");
  exchange.body = { key: "k", text: "Hi", model: "llama", compare_with: "mistral", is_blind: true };
  exchange.answer.accept({ generationId: "g1", messageId: 12 });
  conversation.accepted(exchange, { conversationId: "c1", questionId: 11, messageId: 12, generationId: "g1" });
  assert.deepEqual(exchange.answer.pair, { side: "a", is_blind: true, model: "mistral" });
});

test("a vote and a choice go to their addresses; a refusal is thrown", async () => {
  const decided = { pair: { id: 3, side: "a" }, models: { a: "llama", b: "mistral" } };
  const { env, requests } = site([json(200, decided), json(200, decided), json(409, { error: { code: "comparison_decided", message: "Voted." } })]);
  assert.deepEqual(await decidePair(env, "c1", 3, { verdict: "good" }), decided);
  await decidePair(env, "c1", 3, { chosen: "b" });
  assert.deepEqual(requests.map(({ url }) => url), ["/chat/c1/pairs/3/vote", "/chat/c1/pairs/3/choice"]);
  await assert.rejects(decidePair(env, "c1", 3, { verdict: "bad" }), /Voted/);
});
