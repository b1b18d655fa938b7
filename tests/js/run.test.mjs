import assert from "node:assert/strict";
import { test } from "node:test";

import { Answer } from "../../static/js/models/answer.js";
import { Run } from "../../static/js/models/run.js";
import { done, frame, json, site, stream, unreachable } from "./fake_site.mjs";

const silent = { taken() {}, changed() {}, stopFailed() {} };
const whole = frame(1, { response: "Hel" }) + frame(2, { response: "lo" }) + frame(3, { response: "", state: "complete", length: 5 }) + done(4);

async function run(script, answer = new Answer("m", () => 0)) {
  const { world, requests } = site(script);
  await new Run(world, answer, silent).toEnd({ messages: [] });
  return { answer, requests };
}

test("a whole answer is complete", async () => {
  const { answer } = await run([stream(whole)]);
  assert.deepEqual([answer.text, answer.state, answer.wasTaken, answer.generationId], ["Hello", "complete", true, ""]);
});

test("a reader ahead of the server's log takes the server's text", async () => {
  const ahead = frame(9, { response: "Hello, wor" });
  const terminal = frame(3, { response: "", state: "interrupted", length: 5 }) + done(4);
  const { answer, requests } = await run([stream(ahead), stream(terminal), stream(whole)]);
  assert.deepEqual([answer.text, answer.state], ["Hello", "complete"]);
  assert.equal(requests[2].headers["Last-Event-ID"], undefined);
});

test("a length that never fits is asked about once, not for ever", async () => {
  const odd = frame(1, { response: "Hello" }) + frame(2, { response: "", state: "complete", length: 7 }) + done(3);
  const { answer, requests } = await run([stream(odd), stream(odd)]);
  assert.deepEqual([answer.text, answer.state, requests.length], ["Hello", "complete", 2]);
});

test("an answer under way is followed after what is there", async () => {
  const answer = Answer.fromJSON({ model: "m", text: "Hel", state: "streaming", generationId: "g1", lastEventId: "1" });
  answer.resume();
  const { requests } = await run([stream(whole.slice(whole.indexOf("id: 2")))], answer);
  assert.deepEqual([answer.text, answer.state], ["Hello", "complete"]);
  assert.equal(requests[0].headers["Last-Event-ID"], "1");
});

test("an answer whose log is gone keeps what it had", async () => {
  const answer = Answer.fromJSON({ model: "m", text: "Hel", state: "streaming", generationId: "g1", lastEventId: "1" });
  answer.resume();
  await run([json(404, { error: { code: "not_found", message: "", retryable: false } })], answer);
  assert.deepEqual([answer.text, answer.state, answer.generationId], ["Hel", "interrupted", ""]);
});

test("a question that does not get through has failed, and was not taken", async () => {
  const { answer } = await run([unreachable]);
  assert.deepEqual([answer.state, answer.problem.code, answer.wasTaken], ["failed", "network", false]);
});
