import assert from "node:assert/strict";
import { test } from "node:test";

import { Reachability } from "../../static/js/models/reachability.js";

const network = () => Promise.reject(new TypeError("Failed to fetch"));
const aborted = () => Promise.reject(new DOMException("left", "AbortError"));
const answer = (status, type = "text/html") => () =>
  Promise.resolve(new Response(null, { status, headers: { "Content-Type": type } }));

/** A site that gives these responses in turn, and successful ones afterwards. */
function site(...answers) {
  const asked = [];
  const states = [];
  const env = {
    random: () => 0.5,
    sleep: () => Promise.resolve(false),
    fetch: (url) => {
      asked.push(url);
      return (answers.shift() ?? answer(200))();
    },
  };
  return { asked, states, reachability: new Reachability(env, (state) => states.push(state)) };
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 5));

test("a failed request is reported, and the site is polled until it answers", async () => {
  const { asked, states, reachability } = site(network, network, answer(503), answer(200));
  await assert.rejects(reachability.fetch("/chat/"), TypeError);
  assert.deepEqual(states, ["unreachable"]);
  await settled();
  assert.deepEqual(states, ["unreachable", "online"]);
  assert.deepEqual(asked, ["/chat/", "/healthz", "/healthz", "/healthz"]);
});

test("an aborted request has not failed", async () => {
  const { states, reachability } = site(aborted);
  await assert.rejects(reachability.fetch("/chat/"));
  assert.deepEqual(states, []);
});

test("a gateway's error counts as a failure, the site's own refusal does not", async () => {
  for (const [response, states] of [
    [answer(502), ["unreachable", "online"]],
    [answer(503, "application/json"), []],
    [answer(500), []],
    [answer(404), []],
  ]) {
    const { states: seen, reachability } = site(response);
    await reachability.fetch("/chat/");
    await settled();
    assert.deepEqual(seen, states);
  }
});

test("while the browser is offline, nothing is requested", async () => {
  const { asked, states, reachability } = site(network);
  reachability.setOnline(false);
  await assert.rejects(reachability.fetch("/chat/"));
  assert.deepEqual(asked, ["/chat/"]);
  reachability.setOnline(true);
  await settled();
  assert.deepEqual(states, ["offline", "online"]);
});
