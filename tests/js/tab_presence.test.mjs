import assert from "node:assert/strict";
import { mock, test } from "node:test";

import { TabPresence } from "../../static/js/browser/tab_presence.js";
import { AnswerReader } from "../../static/js/stream/answer_reader.js";
import { collect, done, frame, site, stream } from "./fake_site.mjs";

class Page extends EventTarget {
  constructor(visibilityState = "visible") {
    super();
    this.visibilityState = visibilityState;
  }

  turn(visibilityState) {
    this.visibilityState = visibilityState;
    this.dispatchEvent(new Event("visibilitychange"));
  }
}

const settled = () => new Promise(setImmediate);
const hello = frame(1, { response: "Hel" });
const rest = frame(2, { response: "lo" }) + frame(3, { response: "", state: "complete", length: 5 }) + done(4);
const text = (payloads) => payloads.map(({ response }) => response).join("");

test("a hidden tab is away after ten seconds, and back at once", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    const page = new Page();
    const presence = new TabPresence(page);
    let left = 0;
    presence.onAway(() => left++);
    page.turn("hidden");
    mock.timers.tick(9_999);
    assert.equal(presence.isAway, false);
    mock.timers.tick(1);
    assert.deepEqual([presence.isAway, left], [true, 1]);
    const back = presence.whenBack();
    page.turn("visible");
    await back;
    assert.equal(presence.isAway, false);
  } finally {
    mock.timers.reset();
  }
});

test("briefly switching to another tab changes nothing", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    const page = new Page();
    const presence = new TabPresence(page);
    page.turn("hidden");
    mock.timers.tick(5_000);
    page.turn("visible");
    mock.timers.tick(60_000);
    assert.equal(presence.isAway, false);
  } finally {
    mock.timers.reset();
  }
});

test("a tab opened in the background is away until it is shown", async () => {
  const page = new Page("hidden");
  const presence = new TabPresence(page);
  assert.equal(presence.isAway, true);
  page.turn("visible");
  await presence.whenBack();
});

test("a reader that is away closes its connection and resumes later", async () => {
  const { env, requests, sleeps } = site([stream(hello, { hangs: true }), stream(rest)]);
  const lost = [];
  const reader = new AnswerReader(env, { connectionLost: (is) => lost.push(is) }, true);
  const reading = collect(reader.follow("g1"));
  await settled();
  env.presence.leave();
  await settled();
  assert.equal(requests[0].signal.aborted, true);
  assert.equal(requests.length, 1);
  env.presence.come();
  assert.equal(text(await reading), "Hello");
  assert.equal(requests[1].headers["Last-Event-ID"], "1");
  assert.deepEqual([sleeps, lost.includes(true)], [[], false]);
});

test("a reader that starts away opens no connection", async () => {
  const { env, requests } = site([stream(hello + rest)]);
  env.presence.leave();
  const reading = collect(new AnswerReader(env, {}, true).follow("g1"));
  await settled();
  assert.equal(requests.length, 0);
  env.presence.come();
  assert.equal(text(await reading), "Hello");
});

test("a temporary answer keeps its connection, so that it is not abandoned", async () => {
  const { env, requests } = site([stream(hello, { hangs: true })]);
  const reader = new AnswerReader(env);
  const reading = collect(reader.follow("g1"));
  await settled();
  env.presence.leave();
  await settled();
  assert.equal(requests[0].signal.aborted, false);
  reader.close();
  await reading;
});
