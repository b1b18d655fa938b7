/** What a person writes is announced to a visitor once: to screen readers, by sound, on the button and in the preview. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { SafeStorage } from "../../static/js/browser/safe_storage.js";
import { UnreadMessages } from "../../static/js/controllers/widget/unread_messages.js";
import { storage } from "./fake_site.mjs";

const element = (textContent = "") => ({ textContent, hidden: true, addEventListener() {} });

/** A frame whose conversation has the answers in `answers`; `shelf` is the tab's storage. */
function frame(answers = [], shelf = storage()) {
  const preview = {
    hidden: true,
    b: element("A person"),
    span: element(),
    querySelector: (/** @type {"b" | "span"} */ name) => preview[name],
    querySelectorAll: () => [element(), element()],
  };
  const told = [];
  const said = [];
  const sounds = [];
  const seen = [];
  const chat = { id: "c1", status: { say: (words) => said.push(words) } };
  const store = { conversation: { exchanges: answers } };
  const expects = [];
  const host = {
    tell(type, more) {
      told.push(type);
      if (type === "expects") expects.push(more.isExpecting);
    },
  };
  const sound = { announce: () => sounds.push(1) };
  const tab = new SafeStorage("v", () => shelf);
  const unread = new UnreadMessages(preview, { chat, store }, host, tab, sound, (id) => seen.push(id));
  const counts = () => [told.filter((type) => type === "message").length, said.length, sounds.length];
  return { unread, preview, answers, said, counts, seen, shelf, expects };
}

const person = (messageId, text = `Message ${messageId}`, question = "") => ({
  question,
  answer: { messageId, text, personName: "", isByPerson: true },
});
const model = (messageId) => ({ answer: { ...person(messageId).answer, isByPerson: false } });

test("a message is announced once, however often is looked", () => {
  const { unread, answers, counts, said } = frame();
  unread.resume(false);
  answers.push(person(5));
  for (let polls = 0; polls < 3; polls++) unread.check(true);
  assert.deepEqual(counts(), [1, 1, 1]);
  answers.push(person(7), person(9));
  for (let polls = 0; polls < 3; polls++) unread.check(true);
  assert.deepEqual(counts(), [3, 3, 3]);
  assert.deepEqual(said, [5, 7, 9].map((id) => `Message from a person: Message ${id}`));
});

test("what was there at the first visit is not announced", () => {
  const { unread, counts } = frame([person(3), person(4)]);
  unread.resume(false);
  unread.check(true);
  assert.deepEqual(counts(), [0, 0, 0]);
});

test("what was seen on an earlier page is not announced again, but what was not is", () => {
  const first = frame([person(3)]);
  first.unread.resume(false);
  first.unread.show(true);
  first.unread.show(false);
  first.answers.push(person(4));
  first.unread.check(true);
  assert.deepEqual(first.counts(), [1, 1, 1]);
  const next = frame([person(3), person(4)], first.shelf);
  next.unread.resume(false);
  assert.deepEqual(next.counts(), [1, 1, 1]);
  assert.equal(next.preview.span.textContent, "Message 4");
  next.unread.show(true);
  const last = frame([person(3), person(4)], first.shelf);
  last.unread.resume(false);
  assert.deepEqual(last.counts(), [0, 0, 0]);
});

test("an answer of the model is not announced", () => {
  const { unread, answers, counts } = frame();
  unread.resume(false);
  answers.push(model(5), person(6), model(7));
  unread.check(true);
  assert.deepEqual(counts(), [1, 1, 1]);
});

test("a preview is shown only while the chat is closed, and the server is told once what was seen", () => {
  const { unread, answers, preview, seen } = frame([person(1)]);
  unread.resume(false);
  unread.show(true);
  answers.push(person(2));
  unread.check(true);
  unread.check(true);
  assert.equal(preview.hidden, true);
  assert.deepEqual(seen, ["c1", "c1"]); // up to 1, and up to 2
  unread.show(false);
  answers.push(person(3));
  unread.check(true);
  assert.equal(preview.hidden, false);
});

test("nothing is announced before the conversation is loaded", () => {
  const { unread, counts } = frame([person(1)]);
  unread.check(true);
  assert.deepEqual(counts(), [0, 0, 0]);
});

test("a new tab announces what came after the last question, if the server says that it is unseen", () => {
  const chat = [person(3, "Old", "Who is there?"), person(5, "Older"), person(7, "First", "And now?"), person(8, "Second")];
  const read = frame(chat);
  read.unread.resume(false);
  assert.deepEqual(read.counts(), [0, 0, 0]);
  const unread = frame(chat);
  unread.unread.resume(true);
  assert.deepEqual(unread.said, ["First", "Second"].map((text) => `Message from a person: ${text}`));
  const nextPage = frame(chat, unread.shelf);
  nextPage.unread.resume(false);
  assert.deepEqual(nextPage.counts(), [2, 2, 2]);
});

test("an unseen answer of the model says nothing of a person", () => {
  const { unread, counts } = frame([person(3, "Hello", "Anybody?"), { ...model(6), question: "And the price?" }]);
  unread.resume(true);
  assert.deepEqual(counts(), [0, 0, 0]);
});

test("the next page has to load the chat while a person is due, or a message of one is unseen", () => {
  const { unread, answers, expects } = frame();
  unread.check(true);
  assert.deepEqual(expects, []); // not known before the chat is loaded
  unread.resume(false);
  answers.push(person(5));
  unread.check(true);
  unread.check(false); // handed back, before the visitor has seen it
  assert.deepEqual(expects, [true]);
  unread.show(true);
  assert.deepEqual(expects, [true, false]);
});
