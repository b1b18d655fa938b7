/** Sentences are read in order, with one fetched ahead. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { SentenceReader } from "../../static/js/models/sentence_reader.js";

const settled = () => new Promise((resolve) => setTimeout(resolve));

/** A reader of these sentences, which logs what it does. Sounds end on request. */
function reading(...sentences) {
  const log = [];
  const fails = new Set();
  const state = { isOver: true, sentences };
  let finish = () => {};
  const reader = new SentenceReader({
    sentenceAfter(position) {
      const text = state.sentences[position];
      if (text) return { text, start: position, end: position + 1 };
      return state.isOver ? null : undefined;
    },
    async fetchSound(text) {
      log.push(`fetch ${text}`);
      if (fails.has(text)) throw new Error(text);
      return /** @type {any} */ (`sound of ${text}`);
    },
    play: (sound, signal) =>
      new Promise((resolve) => {
        log.push(`play ${sound}`);
        finish = () => resolve(null);
        signal.addEventListener("abort", () => resolve(null));
      }),
    begin: ({ text }) => log.push(`begin ${text}`),
  });
  const next = async () => {
    finish();
    await settled();
    return log.splice(0);
  };
  return { reader, state, fails, log, next };
}

test("the next sentence is fetched while one is played, and no further one", async () => {
  const { reader, next } = reading("A", "B", "C");
  const end = reader.read();
  assert.deepEqual(await next(), ["fetch A", "begin A", "play sound of A", "fetch B"]);
  assert.deepEqual(await next(), ["begin B", "play sound of B", "fetch C"]);
  assert.deepEqual(await next(), ["begin C", "play sound of C"]);
  assert.deepEqual(await next(), []);
  await end;
});

test("while a sound is paused, nothing more is fetched", async () => {
  const { reader, log } = reading("A", "B", "C");
  reader.read();
  await settled();
  await settled();
  assert.deepEqual(log, ["fetch A", "begin A", "play sound of A", "fetch B"]);
});

test("text that is still written is waited for", async () => {
  const { reader, state, next } = reading("A");
  state.isOver = false;
  const end = reader.read();
  assert.deepEqual(await next(), ["fetch A", "begin A", "play sound of A"]);
  assert.deepEqual(await next(), []);
  state.sentences.push("B");
  reader.update();
  assert.deepEqual(await next(), ["fetch B", "begin B", "play sound of B"]);
  assert.deepEqual(await next(), []);
  state.isOver = true;
  reader.update();
  await end;
});

test("after a stop nothing is fetched or played", async () => {
  const { reader, next } = reading("A", "B", "C");
  const end = reader.read();
  await next();
  reader.stop();
  await end;
  assert.deepEqual(await next(), []);
});

test("a stop ends the wait for more text", async () => {
  const { reader, state, next } = reading();
  state.isOver = false;
  const end = reader.read();
  await settled();
  reader.stop();
  await end;
  assert.deepEqual(await next(), []);
});

test("an error ends the reading after what is played, and nothing is repeated", async () => {
  const { reader, fails, next } = reading("A", "B", "C");
  fails.add("B");
  const end = assert.rejects(reader.read(), { message: "B" });
  assert.deepEqual(await next(), ["fetch A", "begin A", "play sound of A", "fetch B"]);
  assert.deepEqual(await next(), []);
  await end;
});

test("what a stop interrupts is no error", async () => {
  const { reader, fails } = reading("A");
  fails.add("A");
  const end = reader.read();
  reader.stop();
  await end;
});
