import assert from "node:assert/strict";
import { test } from "node:test";

import { generationStreamUrl } from "../../static/js/api/urls.js";
import { StoredConversation } from "../../static/js/models/stored_conversation.js";
import { AnswerReader } from "../../static/js/stream/answer_reader.js";
import { WidgetSession } from "../../static/js/api/widget_session.js";
import { collect, done, empty, frame, json, site, stream, unreachable } from "./fake_site.mjs";

const ROOT = "/w/k1/";
const session = (token) => json(200, { token, known: false, site: { name: "Canoes", consent: { text: "", agreed: true } } });
const ended = json(401, { error: { code: "token_expired", message: "Over.", retryable: true } });

/** Return a session, and the method, URL and bearer token of each request. */
function visiting(script) {
  const { env, requests, sleeps } = site(script);
  const seen = () =>
    requests.map(({ method, url, headers }) => `${method} ${url} ${new Headers(headers).get("Authorization") ?? "-"}`);
  return { visit: new WidgetSession(env, ROOT), seen, sleeps, requests };
}

test("the chat's URLs are below the site's, and each request has the bearer token", async () => {
  const answer = [frame(0, { response: "hi" }), frame(1, { response: "", state: "complete" }), done(2)].join("");
  const { visit, seen, requests } = visiting([session("rv_1"), stream(answer), json(200, {}), json(200, {})]);
  const reader = new AnswerReader(visit.env);
  await collect(reader.ask({ url: "/chat/messages", body: { key: "k", text: "hi" } }));
  await visit.env.fetch("/chat/c1/messages/12/rating", { method: "POST" });
  await visit.env.fetch(generationStreamUrl("g1"));
  assert.deepEqual(seen(), [
    "POST /w/k1/session -",
    "POST /w/k1/messages Bearer rv_1",
    "POST /w/k1/c1/messages/12/rating Bearer rv_1",
    "GET /w/k1/generations/g1/stream Bearer rv_1",
  ]);
  assert.equal(requests[1].headers.has("X-CSRFToken"), false);
});

test("concurrent requests wait for one session", async () => {
  const list = json(200, { conversations: [] });
  const { visit, seen } = visiting([session("rv_1"), list, list, list]);
  await Promise.all([visit.conversations(), visit.conversations(), visit.session(), visit.conversations()]);
  assert.equal(seen().filter((each) => each.includes("session")).length, 1);
});

test("an expired token is exchanged, and the request is repeated once", async () => {
  const { visit, seen } = visiting([session("rv_1"), ended, session("rv_2"), json(200, { conversations: [] })]);
  assert.deepEqual(await visit.conversations(), []);
  assert.deepEqual(seen(), [
    "POST /w/k1/session -",
    "GET /w/k1/conversations Bearer rv_1",
    "POST /w/k1/session Bearer rv_1", // for browsers that keep no cookie
    "GET /w/k1/conversations Bearer rv_2",
  ]);
});

test("a second refusal in a row is final", async () => {
  const { visit } = visiting([session("rv_1"), ended, session("rv_2"), ended]);
  await assert.rejects(visit.conversations(), { code: "token_expired" });
});

test("starting a session is retried if the site does not answer, but not if it refuses", async () => {
  const first = visiting([unreachable, json(503, {}), session("rv_1")]);
  assert.equal((await first.visit.session()).token, "rv_1");
  assert.deepEqual(first.sleeps, [500, 1000]);
  const none = json(404, { error: { code: "not_found", message: "Not found.", retryable: false } });
  const second = visiting([none, session("rv_1")]);
  await assert.rejects(second.visit.session(), { code: "not_found" });
  assert.equal((await second.visit.session()).token, "rv_1"); // who tries later may find it
});

test("an identified user continues with another token, and after a shutdown there is none", async () => {
  const list = json(200, { conversations: [] });
  const { visit, seen } = visiting([session("rv_1"), session("rv_2"), list, empty(204), session("rv_3"), list]);
  await visit.identify("jwt");
  await visit.conversations();
  await visit.end();
  await visit.conversations();
  assert.deepEqual(seen(), [
    "POST /w/k1/session -",
    "POST /w/k1/identity Bearer rv_1",
    "GET /w/k1/conversations Bearer rv_2",
    "POST /w/k1/shutdown Bearer rv_2",
    "POST /w/k1/session -",
    "GET /w/k1/conversations Bearer rv_3",
  ]);
});

test("requests during an identification wait for the new token", async () => {
  const list = json(200, { conversations: [] });
  const { visit, seen } = visiting([session("rv_1"), session("rv_2"), list]);
  await visit.session();
  const named = visit.identify("jwt");
  await Promise.all([named, visit.conversations()]);
  assert.deepEqual(seen().slice(1), ["POST /w/k1/identity Bearer rv_1", "GET /w/k1/conversations Bearer rv_2"]);
});

test("a request sent before an identification is repeated with the new token", async () => {
  const list = json(200, { conversations: [] });
  const late = async () => {
    await visit.identify("jwt"); // the server has ended the bearer before this arrives
    return ended();
  };
  const { visit, seen } = visiting([session("rv_1"), late, session("rv_2"), list]);
  await visit.session();
  await visit.conversations();
  assert.deepEqual(seen().slice(1), [
    "GET /w/k1/conversations Bearer rv_1",
    "POST /w/k1/identity Bearer rv_1",
    "GET /w/k1/conversations Bearer rv_2",
  ]);
});

test("a refused identification changes nothing", async () => {
  const refused = json(403, { error: { code: "invalid_identity_token", message: "No.", retryable: false } });
  const list = json(200, { conversations: [] });
  const { visit, seen } = visiting([session("rv_1"), refused, list]);
  await assert.rejects(visit.identify("jwt"), { code: "invalid_identity_token" });
  await visit.conversations();
  assert.equal(seen().at(-1), "GET /w/k1/conversations Bearer rv_1");
});

test("a stored conversation is returned as the chat's turns", async () => {
  const stored = [
    { id: 1, role: "user", text: "hi", reasoning: "", created_at: "2026-01-01T12:00:00Z", parent: null },
    { id: 2, role: "assistant", text: "ho", reasoning: "", created_at: "2026-01-01T12:00:00Z", state: "running", generation: "g1", parent: 1 },
  ];
  const { visit } = visiting([session("rv_1"), json(200, { id: "c1", title: "hi", turns: stored, has_earlier: false })]);
  const { turns, hasEarlier } = await visit.conversation("c1");
  assert.equal(hasEarlier, false);
  assert.deepEqual(turns, stored);
});

test("an answer that the site does not know has failed and is not waited for", async () => {
  const stored = [
    { id: 1, role: "user", text: "hi", reasoning: "", parent: null },
    { id: 2, role: "assistant", text: "", reasoning: "", parent: 1 },
  ];
  const { visit } = visiting([session("rv_1"), json(200, { id: "c1", title: "hi", turns: stored, has_earlier: false })]);
  const { turns } = await visit.conversation("c1");
  const { answer } = StoredConversation.of("c1", turns).exchanges[0];
  assert.deepEqual([answer.state, answer.isOver], ["failed", true]);
});
