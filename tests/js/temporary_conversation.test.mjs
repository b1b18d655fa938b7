import assert from "node:assert/strict";
import { test } from "node:test";

import { SafeStorage } from "../../static/js/browser/safe_storage.js";
import { TemporaryConversation } from "../../static/js/models/temporary_conversation.js";
import { TemporaryChatStorage } from "../../static/js/models/temporary_chat_storage.js";
import { storage } from "./fake_site.mjs";

function exchange(conversation, question, text, state = "complete") {
  const added = conversation.add(question, "m");
  added.answer.accept({ generationId: "g" });
  if (text) added.answer.apply({ response: text });
  added.answer.apply({ response: "", state, length: text.length });
  return added;
}

test("questions without an answer are sent with an empty answer", () => {
  const conversation = new TemporaryConversation();
  exchange(conversation, "one", "1");
  exchange(conversation, "lost", "", "failed");
  exchange(conversation, "cut", "2", "interrupted");
  const last = conversation.add("four", "m");
  assert.deepEqual(
    conversation.messagesFor(last).map(({ role, content }) => `${role}: ${content}`),
    ["user: one", "assistant: 1", "user: lost", "assistant: ", "user: cut", "assistant: 2", "user: four"],
  );
});

test("an earlier question is sent with the messages before it", () => {
  const conversation = new TemporaryConversation();
  const first = exchange(conversation, "one", "", "failed");
  exchange(conversation, "two", "2");
  assert.deepEqual(conversation.messagesFor(first), [{ role: "user", content: "one" }]);
});

test("a failed attempt restores the old answer and gives the reason", () => {
  const conversation = new TemporaryConversation();
  const tried = exchange(conversation, "one", "half", "interrupted");
  conversation.tryAgain(tried, "n");
  assert.equal(tried.answer.text, "");
  tried.answer.fail({ code: "network", message: "No network.", retryable: true });
  assert.equal(conversation.withdraw(tried), tried);
  assert.deepEqual([tried.answer.text, tried.answer.problem.message], ["half", "No network."]);
});

test("an attempt with text replaces the old answer", () => {
  const conversation = new TemporaryConversation();
  const tried = exchange(conversation, "one", "half", "interrupted");
  conversation.tryAgain(tried, "n");
  tried.answer.apply({ response: "whole" });
  tried.answer.apply({ response: "", state: "complete", length: 5 });
  assert.equal(conversation.withdraw(tried), null);
  assert.equal(tried.answer.text, "whole");
});

test("an answer that the server may still have is not requested again", () => {
  const conversation = new TemporaryConversation();
  const added = conversation.add("one", "m");
  added.answer.accept({ generationId: "g" });
  added.answer.apply({ response: "half" });
  added.answer.fail({ code: "lost", message: "", retryable: true });
  conversation.tryAgain(added, "n");
  assert.deepEqual([added.answer.generationId, added.answer.text, added.answer.state], ["g", "half", "streaming"]);
});

test("a conversation is serialised and restored; the oldest turns are dropped if there is no room", () => {
  const conversation = new TemporaryConversation();
  conversation.model = "m";
  for (const each of ["one", "two", "three"]) exchange(conversation, each, "x".repeat(1000));
  const copy = TemporaryConversation.restore(conversation.serialise());
  assert.equal(copy.serialise(), conversation.serialise());
  const small = TemporaryConversation.restore(conversation.serialise(3000));
  assert.deepEqual(small.exchanges.map(({ question }) => question), ["two", "three"]);
  assert.equal(small.forgotten, 1);
});

for (const text of [null, "", "{", "7", '{"version":0,"exchanges":[]}', '{"version":1,"exchanges":[{}]}']) {
  test(`${text} restores as an empty conversation`, () => {
    assert.deepEqual(TemporaryConversation.restore(text).exchanges, []);
  });
}

test("a message stays the draft until the server has it", () => {
  const items = storage();
  const memory = new TemporaryChatStorage(new SafeStorage("7", () => items));
  memory.draft = "Why?";
  const conversation = new TemporaryConversation();
  conversation.add("Why?", "m");
  memory.save(conversation);
  const later = new TemporaryChatStorage(new SafeStorage("7", () => items));
  assert.deepEqual(later.restore().exchanges, []);
  assert.equal(later.draft, "Why?");
  later.accepted("Why?");
  assert.equal(later.draft, "");
});

test("text typed meanwhile stays the draft", () => {
  const memory = new TemporaryChatStorage(new SafeStorage("7", () => storage()));
  memory.draft = "And then?";
  memory.accepted("Why?");
  assert.equal(memory.draft, "And then?");
});

test("a question that the server never got is kept but not sent automatically", () => {
  const items = storage();
  const memory = new TemporaryChatStorage(new SafeStorage("7", () => items));
  const conversation = new TemporaryConversation();
  conversation.add("Why?", "m");
  memory.save(conversation);
  const [{ question, answer }] = memory.restore().exchanges;
  assert.deepEqual([question, answer.state, answer.generationId], ["Why?", "failed", ""]);
});

test("the next member sees nothing", () => {
  const items = storage();
  new SafeStorage("7", () => items).write("draft", "secret");
  items.setItem("other", "stays");
  assert.equal(new SafeStorage("8", () => items).read("draft"), null);
  assert.deepEqual([...items.items.keys()], ["other"]);
});

test("full or closed storage causes no error", () => {
  const closed = new SafeStorage("7", () => {
    throw new DOMException("denied", "SecurityError");
  });
  closed.write("draft", "x");
  closed.close();
  assert.equal(closed.read("draft"), null);
  const full = new SafeStorage("7", () => storage(3));
  full.write("draft", "abc");
  full.write("draft", "abcd");
  assert.equal(full.read("draft"), "abc");
});
