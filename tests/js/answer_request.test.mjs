import assert from "node:assert/strict";
import { test } from "node:test";

import { Answer } from "../../static/js/models/answer.js";
import { AnswerRequest } from "../../static/js/models/answer_request.js";
import { ApiError } from "../../static/js/api/errors.js";
import { PLACE, done, empty, frame, json, site, stream, unreachable } from "./fake_site.mjs";

const silent = { taken() {}, changed() {}, stopFailed() {} };
const whole = frame(1, { response: "Hel" }) + frame(2, { response: "lo" }) + frame(3, { response: "", state: "complete", length: 5 }) + done(4);

async function run(script, answer = new Answer("m", () => 0)) {
  const { env, requests } = site(script);
  await new AnswerRequest(env, answer, silent).run({ url: "/chat/stream", body: { messages: [] } });
  return { answer, requests };
}

test("a whole answer is complete", async () => {
  const { answer } = await run([stream(whole)]);
  assert.deepEqual([answer.text, answer.state, answer.wasTaken, answer.generationId], ["Hello", "complete", true, ""]);
});

test("a reader ahead of the server's log gets the server's text", async () => {
  const ahead = frame(9, { response: "Hello, wor" });
  const terminal = frame(3, { response: "", state: "interrupted", length: 5 }) + done(4);
  const { answer, requests } = await run([stream(ahead), stream(terminal), stream(whole)]);
  assert.deepEqual([answer.text, answer.state], ["Hello", "complete"]);
  assert.equal(requests[2].headers["Last-Event-ID"], undefined);
});

test("an answer whose length never matches is loaded once", async () => {
  const odd = frame(1, { response: "Hello" }) + frame(2, { response: "", state: "complete", length: 7 }) + done(3);
  const { answer, requests } = await run([stream(odd), stream(odd)]);
  assert.deepEqual([answer.text, answer.state, requests.length], ["Hello", "complete", 2]);
});

test("a running answer is followed after the known text", async () => {
  const answer = Answer.fromJSON({ model: "m", text: "Hel", state: "streaming", generationId: "g1", lastEventId: "1" });
  answer.resume();
  const { requests } = await run([stream(whole.slice(whole.indexOf("id: 2")))], answer);
  assert.deepEqual([answer.text, answer.state], ["Hello", "complete"]);
  assert.equal(requests[0].headers["Last-Event-ID"], "1");
});

test("an answer whose log is gone keeps its text", async () => {
  const answer = Answer.fromJSON({ model: "m", text: "Hel", state: "streaming", generationId: "g1", lastEventId: "1" });
  answer.resume();
  await run([json(404, { error: { code: "not_found", message: "", retryable: false } })], answer);
  assert.deepEqual([answer.text, answer.state, answer.generationId], ["Hel", "interrupted", ""]);
});

test("a question that is not sent has failed and is not accepted", async () => {
  const { answer } = await run([unreachable]);
  assert.deepEqual([answer.state, answer.problem.code, answer.wasTaken], ["failed", "network", false]);
});

const turn = { id: 12, parent: 11, role: "assistant", text: "Hello", reasoning: "", generation: "g1", state: "interrupted", model: "m" };

async function runStored(script, stored, answer = new Answer("m", () => 0)) {
  const { env, requests } = site(script);
  const send = { url: "/chat/messages", body: { key: "k".repeat(32), text: "Why?" } };
  await new AnswerRequest(env, answer, silent, stored).run(send);
  return { answer, requests };
}

test("a stored answer replaces a different one on the page", async () => {
  const ahead = stream(frame(1, { response: "Hello, wor" }), { place: PLACE });
  const terminal = stream(frame(9, { response: "", state: "interrupted", length: 5 }) + done(10));
  const { answer, requests } = await runStored([ahead, terminal], async () => turn);
  assert.deepEqual([answer.text, answer.state, answer.generationId, answer.messageId], ["Hello", "interrupted", "", 12]);
  assert.equal(requests.length, 2);
});

for (const [name, end] of [["pruned", empty(204)], ["gone", json(404, { error: { code: "not_found", message: "", retryable: false } })]]) {
  test(`an answer whose log is ${name} is loaded as stored`, async () => {
    const { answer } = await runStored([stream(frame(1, { response: "Hel" }), { place: PLACE }), end], async () => turn);
    assert.deepEqual([answer.text, answer.state], ["Hello", "interrupted"]);
  });
}

test("a log that is gone while the answer runs is read again", async () => {
  const running = { ...turn, text: "", state: "running" };
  const { answer } = await runStored([stream(frame(1, { response: "Hel" }), { place: PLACE }), empty(204), stream(whole)], async () => running);
  assert.deepEqual([answer.text, answer.state], ["Hello", "complete"]);
});

test("a message that was deleted meanwhile keeps its text on the page and says so", async () => {
  const notFound = json(404, { error: { code: "not_found", message: "Not found.", retryable: false } });
  const { answer } = await runStored([stream(frame(1, { response: "Hel" }), { place: PLACE }), notFound], async () => {
    throw new ApiError("not_found", "Not found.", { retryable: false, status: 404 });
  });
  assert.deepEqual([answer.text, answer.state, answer.problem.code], ["Hel", "interrupted", "not_found"]);
});

test("a failure after the question was stored belongs to the stored answer and has no stream", async () => {
  const busy = json(503, { error: { code: "upstream_busy", message: "Busy.", retryable: true } }, { ...PLACE, "X-Generation-Id": "g1" });
  const { answer } = await runStored([busy], async () => assert.fail("nothing to fetch"));
  assert.deepEqual([answer.state, answer.messageId, answer.generationId, answer.problem.message], ["failed", 12, "", "Busy."]);
});
