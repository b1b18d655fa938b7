import assert from "node:assert/strict";
import { mock, test } from "node:test";

import { AnswerReader } from "../../static/js/stream/answer_reader.js";
import { collect, done, empty, frame, html, json, site, stream, unreachable } from "./fake_site.mjs";

const QUESTION = { url: "/chat/stream", body: { messages: [{ role: "user", content: "Why do rivers bend?" }] } };
const hello = frame(1, { response: "Hel" }) + frame(2, { response: "lo" });
const end = frame(3, { response: "", state: "complete", length: 5 }) + done(4);
const text = (payloads) => payloads.map(({ response }) => response).join("");

test("an answer in one connection is read to its end", async () => {
  const { env, requests } = site([stream(hello + end)]);
  const accepted = [];
  const reader = new AnswerReader(env, { accepted: ({ generationId }) => accepted.push(generationId) });
  const payloads = await collect(reader.ask(QUESTION));
  assert.equal(text(payloads), "Hello");
  assert.equal(payloads.at(-1).state, "complete");
  assert.deepEqual(accepted, ["g1"]);
  assert.equal(requests.length, 1);
  assert.equal(requests[0].url, "/chat/stream");
  assert.deepEqual(JSON.parse(requests[0].body), QUESTION.body);
});

for (const breaks of [false, true]) {
  test(`it resumes after the last event when a connection ${breaks ? "breaks" : "ends early"}`, async () => {
    const script = [stream(hello.slice(0, -5), { breaks }), stream("", { breaks }), stream(hello.slice(hello.indexOf("id: 2")) + end)];
    const { env, requests, sleeps } = site(script);
    const lost = [];
    const reader = new AnswerReader(env, { connectionLost: (is) => lost.push(is) });
    assert.equal(text(await collect(reader.ask(QUESTION))), "Hello");
    assert.deepEqual(requests.map(({ method }) => method), ["POST", "GET", "GET"]);
    assert.equal(requests[2].url, "/generations/g1/stream");
    assert.equal(requests[2].headers["Last-Event-ID"], "1");
    assert.deepEqual(sleeps, [1000, 2000]);
    assert.equal(lost.at(-1), false);
  });
}

test("each time it resumes after the last of several events", async () => {
  const events = Array.from("meander", (letter, at) => frame(at + 1, { response: letter }));
  const rest = frame(8, { response: "", state: "complete", length: 7 }) + done(9);
  const script = [events.slice(0, 3), events.slice(3, 6), events.slice(6), [rest]].map((part) => stream(part.join("")));
  const { env, requests } = site(script);
  const reader = new AnswerReader(env);
  assert.equal(text(await collect(reader.ask(QUESTION))), "meander");
  assert.deepEqual(requests.map(({ headers }) => headers["Last-Event-ID"]), [undefined, "3", "6", "7"]);
  assert.equal(reader.lastEventId, "9");
});

test("after following from an event it resumes after later ones", async () => {
  const { env, requests } = site([stream(frame(5, { response: "b" }) + frame(6, { response: "c" })), stream(end)]);
  assert.equal(text(await collect(new AnswerReader(env).follow("g7", "4"))), "bc");
  assert.deepEqual(requests.map(({ headers }) => headers["Last-Event-ID"]), ["4", "6"]);
});

test("the server's `retry` sets the first wait", async () => {
  const { env, sleeps } = site([stream(`retry: 50\n\n${hello}`), stream(end)]);
  await collect(new AnswerReader(env).ask(QUESTION));
  assert.deepEqual(sleeps, [50]);
});

test("an unreachable server is retried", async () => {
  const away = [unreachable, html(502), json(500, { error: { code: "error", message: "", retryable: false } })];
  const { env, requests } = site([stream(hello), ...away, html(200), stream(end)]);
  assert.equal(text(await collect(new AnswerReader(env).ask(QUESTION))), "Hello");
  assert.equal(requests.filter(({ method }) => method === "POST").length, 1);
});

test("it gives up ten minutes after the last event", async () => {
  const { env, sleeps } = site([stream(hello), ...Array(200).fill(unreachable)]);
  await assert.rejects(collect(new AnswerReader(env).ask(QUESTION)), { code: "lost" });
  assert.ok(env.time >= 600_000 && env.time < 620_000);
  assert.equal(Math.max(...sleeps), 15_000);
});

test("204 means that nothing is missing", async () => {
  const { env } = site([stream(hello), empty(204)]);
  assert.equal(text(await collect(new AnswerReader(env).ask(QUESTION))), "Hello");
});

test("404 means that the rest is gone", async () => {
  const { env } = site([stream(hello), json(404, { error: { code: "not_found", message: "Nothing", retryable: false } })]);
  await assert.rejects(collect(new AnswerReader(env).ask(QUESTION)), { code: "gone" });
});

test("being signed out during an answer shows the server's message", async () => {
  const signedOut = json(401, { error: { code: "not_authenticated", message: "Sign in again.", retryable: false } });
  const { env } = site([stream(hello), signedOut]);
  await assert.rejects(collect(new AnswerReader(env).ask(QUESTION)), { code: "not_authenticated", message: "Sign in again." });
});

test("a refusal has the server's code and message", async () => {
  const { env } = site([json(413, { error: { code: "body_too_long", message: "Too long.", retryable: false } })]);
  await assert.rejects(collect(new AnswerReader(env).ask(QUESTION)), {
    code: "body_too_long", message: "Too long.", retryable: false, status: 413,
  }); // prettier-ignore
});

for (const [name, step, code, words] of [
  ["no network", unreachable, "network", /wasn't sent/],
  ["a gateway's page", html(502), "unexpected_response", /isn't responding right now \(error 502\)/],
  ["a page where a stream should be", html(200), "unexpected_response", /didn't come from this site/],
  ["a gateway's limit", html(413), "unexpected_response", /too long for this site/],
  ["broken JSON", () => new Response("{", { status: 503, headers: { "Content-Type": "application/json" } }), "unexpected_response", /503/],
]) {
  test(`${name} has a readable message, and the question is not sent again`, async () => {
    const { env, requests } = site([step]);
    await assert.rejects(collect(new AnswerReader(env).ask(QUESTION)), { code, message: words });
    assert.equal(requests.length, 1);
  });
}

test("following starts at the beginning or after an event", async () => {
  const { env, requests } = site([stream(hello + end), stream(end)]);
  assert.equal(text(await collect(new AnswerReader(env).follow("g7"))), "Hello");
  assert.equal(text(await collect(new AnswerReader(env).follow("g7", "2"))), "");
  assert.equal(requests[0].url, "/generations/g7/stream");
  assert.equal(requests[0].headers["Last-Event-ID"], undefined);
  assert.equal(requests[1].headers["Last-Event-ID"], "2");
});

test("a silent connection is closed and resumed", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    const { env } = site([stream(hello, { hangs: true }), stream(end)]);
    const reading = collect(new AnswerReader(env).ask(QUESTION));
    for (let i = 0; i < 20; i++) await Promise.resolve();
    await new Promise(setImmediate);
    mock.timers.tick(45_000);
    assert.equal(text(await reading), "Hello");
  } finally {
    mock.timers.reset();
  }
});

test("after waking up, a dead connection is noticed although its timer slept", async () => {
  const { env, wake, wakers } = site([stream(hello, { hangs: true }), stream(end)]);
  const reading = collect(new AnswerReader(env).ask(QUESTION));
  await new Promise(setImmediate);
  wake(); // heard from a moment ago: stays
  assert.equal(wakers.size, 1);
  env.time += 45_000;
  wake();
  assert.equal(text(await reading), "Hello");
  assert.equal(wakers.size, 0);
});

test("a connection that failed or ended is closed, and its timer with it", async () => {
  const { env, requests } = site([unreachable, stream(hello + end)]);
  await collect(new AnswerReader(env).follow("g1"));
  assert.deepEqual(requests.map(({ signal }) => signal.aborted), [true, true]);
});

test("stop is sent with the current CSRF token", async () => {
  const { env, requests } = site([stream(hello + end)]);
  const reader = new AnswerReader(env);
  for await (const payload of reader.ask(QUESTION)) if (payload.response === "Hel") reader.stop();
  const [stop, ...others] = requests.filter(({ url }) => url.endsWith("/cancellation"));
  assert.equal(others.length, 0);
  assert.equal(stop.url, "/generations/g1/cancellation");
  assert.equal(stop.method, "POST");
  assert.equal(stop.headers["X-CSRFToken"], "token");
});

test("stop before the answer has an id is sent as soon as it has one", async () => {
  const { env, requests } = site([stream(hello + end)]);
  const reader = new AnswerReader(env);
  const reading = collect(reader.ask(QUESTION));
  reader.stop();
  reader.stop();
  assert.equal(requests.length, 1);
  await reading;
  assert.equal(requests.filter(({ url }) => url.endsWith("/cancellation")).length, 1);
});

test("a stop that fails is retried, then reported", async () => {
  const { env } = site([stream(hello + end)], { cancellation: [unreachable, html(502), unreachable] });
  let failed = 0;
  const reader = new AnswerReader(env, { stopFailed: () => failed++ });
  const reading = collect(reader.ask(QUESTION));
  reader.stop();
  await reading;
  await new Promise(setImmediate);
  assert.equal(failed, 1);
});

test("closing ends reading without an error", async () => {
  const { env, requests } = site([stream(hello, { hangs: true })]);
  const reader = new AnswerReader(env);
  const reading = collect(reader.ask(QUESTION));
  await new Promise(setImmediate);
  reader.close();
  assert.equal(text(await reading), "Hello");
  assert.deepEqual(await collect(reader.again()), []);
  assert.equal(requests.length, 1);
});

test("closing while an event is shown ends reading, although more has arrived", async () => {
  const { env, requests } = site([stream(hello, { hangs: true })]);
  const reader = new AnswerReader(env);
  const seen = [];
  for await (const { response } of reader.ask(QUESTION)) {
    seen.push(response);
    reader.close();
  }
  assert.deepEqual(seen, ["Hel"]);
  assert.equal(requests.length, 1);
});

test("a reader that keeps its connection in a hidden tab reconnects there, too", async () => {
  const { env } = site([stream(hello), stream(end)]);
  env.presence.leave();
  assert.equal(text(await collect(new AnswerReader(env).ask(QUESTION))), "Hello");
});

test("data that is not JSON is ignored", async () => {
  const { env } = site([stream(frame(1, "{") + frame(2, "7") + hello + end)]);
  assert.equal(text(await collect(new AnswerReader(env).ask(QUESTION))), "Hello");
});
