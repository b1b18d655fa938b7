/** A send with a key may be repeated; see answer_reader.test.mjs for one without. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { AnswerReader } from "../../static/js/stream/answer_reader.js";
import { PLACE, collect, done, empty, frame, html, json, site, stream, unreachable } from "./fake_site.mjs";

const SEND = { url: "/chat/messages", body: { key: "k".repeat(32), text: "Why do rivers bend?" } };
const whole = frame(1, { response: "Hello" }) + frame(2, { response: "", state: "complete", length: 5 }) + done(3);
const stored = () => stream(whole, { place: PLACE });
const text = (payloads) => payloads.map(({ response }) => response).join("");
const leaving = json(503, { error: { code: "shutting_down", message: "", retryable: true } }, { "Retry-After": "2" });

const away = json(503, { error: { code: "database_unavailable", message: "", retryable: true } }, { "Retry-After": "2" });
const locked = json(503, { error: { code: "database_unavailable", message: "", retryable: true } }, { "Retry-After": "5" });
const busy = json(503, { error: { code: "overloaded", message: "", retryable: true } }, { "Retry-After": "3" });

async function send(script) {
  const { env, requests, sleeps } = site(script);
  const places = [];
  const reader = new AnswerReader(env, { accepted: (place) => places.push(place) });
  const payloads = await collect(reader.ask(SEND)).catch((error) => error);
  return { payloads, requests, sleeps, places, reader };
}

for (const [name, step] of [
  ["no network", unreachable],
  ["a site that restarts", leaving],
  ["a site that is very busy", busy],
  ["a site whose database is away", away],
  ["a site whose database is busy", locked],
  ["a gateway without a site behind it", html(502)],
]) {
  test(`after ${name}, the same request is sent again`, async () => {
    const { payloads, requests } = await send([step, step, stored()]);
    assert.equal(text(payloads), "Hello");
    assert.equal(requests.length, 3);
    assert.equal(new Set(requests.map(({ method, url, body }) => method + url + body)).size, 1);
  });
}

test("the wait that a restarting site asks for is kept", async () => {
  const { sleeps } = await send([leaving, stored()]);
  assert.deepEqual(sleeps, [2000]);
});

test("the first waits are short and double", async () => {
  const { sleeps } = await send([unreachable, unreachable, unreachable, unreachable, unreachable, stored()]);
  assert.deepEqual(sleeps, [500, 1000, 2000, 4000, 4000]);
});

for (const [name, step] of [["no network", unreachable], ["a site that restarts", leaving]]) {
  test(`after ${name}, a request without a key is not sent again: it may have been received`, async () => {
    const { env, requests } = site([step, stored()]);
    const body = { messages: [{ role: "user", content: "Why do rivers bend?" }] };
    await assert.rejects(collect(new AnswerReader(env).ask({ url: "/chat/stream", body })));
    assert.equal(requests.length, 1);
  });
}

test("a chat that is gone is called deleted, but a model that is gone is not", async () => {
  const refused = (status, code) => json(status, { error: { code, message: "No.", retryable: false } });
  const codes = [];
  for (const [status, code] of [[404, "not_found"], [404, "model_unavailable"], [403, "forbidden"]]) {
    const { payloads } = await send([refused(status, code)]);
    codes.push(payloads.code);
  }
  assert.deepEqual(codes, ["deleted", "model_unavailable", "forbidden"]);
});

test("characters that cannot be stored are replaced", async () => {
  const { env, requests } = site([stored()]);
  await collect(new AnswerReader(env).ask({ ...SEND, body: { ...SEND.body, text: "a\0b\ud800c" } }));
  assert.equal(JSON.parse(requests[0].body).text, "a\ufffdb\ufffdc");
});

test("it gives up after a while and says so", async () => {
  const { payloads, sleeps, places } = await send(Array(50).fill(unreachable));
  assert.equal(payloads.code, "network");
  assert.ok(sleeps.reduce((sum, each) => sum + each) <= 20_000);
  assert.deepEqual(places, []);
});

for (const [name, step] of [
  ["restarts", leaving],
  ["has no database", away],
  ["is behind a proxy that finds no worker", html(502)],
  ["is behind a proxy whose worker is away", html(503)],
  ["is behind a proxy whose worker is silent", html(504)],
]) {
  test(`a site that ${name} is asked for more than a minute`, async () => {
    const { payloads, sleeps } = await send(Array(100).fill(step));
    assert.equal(payloads.code === "network", false);
    assert.equal(payloads.retryable, true);
    const waited = sleeps.reduce((sum, each) => sum + each);
    assert.ok(waited > 75_000 && waited < 150_000, waited);
  });
}

test("stopping ends the attempts", async () => {
  const { env, requests } = site([unreachable, unreachable, unreachable]);
  const reader = new AnswerReader(env);
  reader.stop();
  await assert.rejects(collect(reader.ask(SEND)), { code: "network" });
  assert.equal(requests.length, 1);
});

test("the current CSRF token is sent", async () => {
  const { requests } = await send([stored()]);
  assert.equal(requests[0].headers["X-CSRFToken"], "token");
});

test("the server says where it stores the turn", async () => {
  const { places } = await send([stored()]);
  assert.deepEqual(places, [{ generationId: "g1", conversationId: "c1", messageId: 12, questionId: 11 }]);
});

test("a refusal after the question was stored has its IDs but no stream", async () => {
  const error = { code: "upstream_busy", message: "Busy.", retryable: true };
  const { payloads, places, requests } = await send([json(503, { error }, { ...PLACE, "X-Generation-Id": "g1" })]);
  assert.equal(payloads.message, "Busy.");
  assert.deepEqual([places[0].messageId, places[0].generationId], [12, ""]);
  assert.equal(requests.length, 1);
});

test("a refusal that stored nothing has no IDs", async () => {
  const { payloads, places } = await send([json(401, { error: { code: "not_authenticated", message: "Sign in.", retryable: false } })]);
  assert.equal(payloads.code, "not_authenticated");
  assert.deepEqual(places, []);
});

test("a repeated send whose log is gone has its IDs but no stream", async () => {
  const { payloads, places } = await send([unreachable, empty(204, { ...PLACE, "X-Generation-Id": "g1" })]);
  assert.deepEqual(payloads, []);
  assert.equal(places[0].generationId, "g1");
});
