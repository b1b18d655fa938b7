import assert from "node:assert/strict";
import { test } from "node:test";

import { ServerStore } from "../../static/js/controllers/chat/server_store.js";
import { TemporaryStore } from "../../static/js/controllers/chat/temporary_store.js";
import { SafeStorage } from "../../static/js/browser/safe_storage.js";
import { QuestionEdits } from "../../static/js/models/question_edits.js";
import { Outbox } from "../../static/js/models/outbox.js";
import { StoredConversation } from "../../static/js/models/stored_conversation.js";

const PLACE = { conversationId: "c1", questionId: 11, messageId: 12, generationId: "g1" };
const MODELS = { chosen: "llama", optionsFor: () => ({ reasoning_effort: "low" }), nameOf: (id) => id, abilitiesOf() {} };

/** A tab's storage, in memory. */
function tabStorage() {
  const kept = new Map();
  return new SafeStorage("member", () => ({
    get length() {
      return kept.size;
    },
    key: (index) => [...kept.keys()][index],
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, text) => kept.set(key, text),
    removeItem: (key) => kept.delete(key),
  }));
}

function serverStore(storage, { id = "", turns = [], ...more } = {}) {
  return new ServerStore({
    env: {},
    models: MODELS,
    conversation: StoredConversation.of(id, turns),
    outbox: new Outbox(storage, id),
    edits: new QuestionEdits(storage),
    ...more,
  });
}

test("a question stays in the outbox until the server has it", () => {
  const storage = tabStorage();
  const store = serverStore(storage);
  const exchange = store.ask("Why do rivers bend?");
  const { send } = store.requestFor(exchange);
  assert.equal(send.url, "/chat/messages");
  assert.equal(new Outbox(storage, "").unsentKey, send.body.key);
  assert.equal(store.unsent, exchange);
  store.accepted(exchange, PLACE);
  assert.equal(new Outbox(storage, "").unsentKey, "");
  assert.equal(store.unsent, undefined);
  assert.equal(store.id, "c1");
});

test("the draft moves to the conversation that the first question starts", () => {
  const storage = tabStorage();
  const store = serverStore(storage);
  const exchange = store.ask("Why do rivers bend?");
  store.requestFor(exchange);
  store.saveDraft("And why");
  store.accepted(exchange, PLACE);
  assert.equal(new Outbox(storage, "c1").draft, "And why");
  assert.equal(new Outbox(storage, "").draft, "");
});

test("an edit is kept with its question, not in the outbox", () => {
  const storage = tabStorage();
  const turns = [{ id: 11, parent: null, role: "user", text: "Why?", reasoning: "", created_at: "", state: "failed" }];
  const store = serverStore(storage, { id: "c1", turns });
  const revised = store.conversation.revise(store.conversation.last, "Why not?", "llama");
  store.requestFor(revised);
  assert.equal(new QuestionEdits(storage).read(11), "Why not?");
  assert.equal(new Outbox(storage, "c1").unsentKey, "");
  store.accepted(revised, { ...PLACE, questionId: 21 });
  assert.equal(new QuestionEdits(storage).read(11), null);
});

test("if the site's owner chooses the model, none is sent", () => {
  const store = serverStore(tabStorage(), { sendsModel: false });
  const exchange = store.ask("Why do rivers bend?");
  assert.equal("model" in store.requestFor(exchange).send.body, false);
  store.conversation.tryAgain(exchange, "other");
  assert.equal("model" in store.requestFor(exchange).send.body, false);
});

test("a refused request gets a new key; one that may have arrived is repeated unchanged", () => {
  const store = serverStore(tabStorage());
  const exchange = store.ask("Why do rivers bend?");
  const { key } = store.requestFor(exchange).send.body;
  exchange.answer.fail({ code: "network", message: "", retryable: true });
  store.ended(exchange);
  assert.equal(store.requestFor(exchange).send.body.key, key);
  exchange.answer.fail({ code: "too_long", message: "", retryable: false });
  store.ended(exchange);
  assert.equal(store.requestFor(exchange).send, null);
});

test("a running answer is followed without sending again", () => {
  const turns = [
    { id: 11, parent: null, role: "user", text: "Why?", reasoning: "", created_at: "" },
    { id: 12, parent: 11, role: "assistant", text: "Be", reasoning: "", created_at: "", state: "running", generation: "g1" },
  ];
  const store = serverStore(tabStorage(), { id: "c1", turns });
  assert.equal(store.requestFor(store.running).send, null);
});

test("a temporary chat sends all messages and survives a reload", () => {
  const storage = tabStorage();
  const store = new TemporaryStore(storage, MODELS);
  const first = store.ask("Why do rivers bend?");
  store.requestFor(first);
  store.accepted(first);
  first.answer.apply({ response: "They wander.", state: "complete" });
  store.ended(first);
  const { send } = store.requestFor(store.ask("And deltas?"));
  assert.deepEqual(send.body.messages.map(({ content }) => content), ["Why do rivers bend?", "They wander.", "And deltas?"]);
  const restored = new TemporaryStore(storage, MODELS);
  assert.equal(restored.conversation.exchanges[0].answer.text, "They wander.");
});

test("a temporary question is the draft until the server has it", () => {
  const storage = tabStorage();
  const store = new TemporaryStore(storage, MODELS);
  store.saveDraft("Why do rivers bend?");
  const exchange = store.ask("Why do rivers bend?");
  store.requestFor(exchange);
  assert.equal(new TemporaryStore(storage, MODELS).draft, "Why do rivers bend?");
  store.accepted(exchange);
  assert.equal(new TemporaryStore(storage, MODELS).draft, "");
});
