import assert from "node:assert/strict";
import { test } from "node:test";

import { StoredConversation, isQuestionStored } from "../../static/js/models/stored_conversation.js";

const question = (id, text, parent = null) => ({ id, parent, role: "user", text, reasoning: "", created_at: "2026-11-21T10:00:00Z" });
const answer = (id, text, parent, facts = {}) => ({
  id, parent, role: "assistant", text, reasoning: "", created_at: "2026-11-21T10:00:01Z",
  generation: `g${id}`, state: "complete", model: "m", finish_reason: "stop", omitted_messages: 0, base_length: 0, ...facts,
}); // prettier-ignore

const TURNS = [question(1, "One"), answer(2, "Eins", 1), question(3, "Two", 2), answer(4, "Zwei", 3)];
const shown = ({ exchanges }) => exchanges.map((each) => `${each.question}: ${each.answer.text}`);

test("turns become exchanges of question and answer", () => {
  const conversation = StoredConversation.of("c1", TURNS);
  assert.deepEqual(shown(conversation), ["One: Eins", "Two: Zwei"]);
  const { askedAt, questionId, answer } = conversation.exchanges[1];
  assert.deepEqual([askedAt, questionId, answer.messageId, answer.state, answer.generationId], [
    Date.UTC(2026, 10, 21, 10), 3, 4, "complete", "",
  ]); // prettier-ignore
});

test("a question and an answer have the times at which they were stored", () => {
  const [{ askedAt, answer }] = StoredConversation.of("c1", TURNS).exchanges;
  assert.deepEqual([askedAt, answer.askedAt - askedAt], [Date.UTC(2026, 10, 21, 10), 1000]);
});

test("a summary and questions that were written since are shown where they belong, without a new element", () => {
  const conversation = StoredConversation.of("c1", TURNS);
  const [one, two] = conversation.exchanges;
  const summarised = TURNS.map((turn) => ({ ...turn, ...{ 2: { summary: "They counted." }, 4: { follow_ups: ["Three?"] } }[turn.id] }));
  assert.deepEqual(conversation.reconcile(summarised), []);
  assert.deepEqual([one.answer.summary, two.answer.summary], ["They counted.", ""]);
  assert.deepEqual([one.answer.followUps, two.answer.followUps], [[], ["Three?"]]);
  conversation.reconcile(TURNS);
  assert.deepEqual([one.answer.summary, two.answer.followUps], ["", []]);
});

test("a running answer is followed after its known text", () => {
  const turns = [question(1, "One"), answer(2, "Half", 1, { state: "running", base_length: 4 })];
  const { running } = StoredConversation.of("c1", turns);
  assert.deepEqual([running.answer.generationId, running.answer.isOver, running.answer.text], ["g2", false, "Half"]);
  running.answer.apply({ response: " and half" });
  running.answer.apply({ response: "", state: "complete", length: 13 });
  assert.equal(running.answer.generationId, "");
});

test("a request has the reasoning effort, and a retry the changed parameters", () => {
  const conversation = StoredConversation.of("c1", TURNS);
  conversation.options = (model) => (model === "thinker" ? { reasoning_effort: "high" } : {});
  assert.equal(conversation.bodyOf("Three", "thinker").reasoning_effort, "high");
  assert.equal("reasoning_effort" in conversation.bodyOf("Three", "other"), false);
  const [, two] = conversation.exchanges;
  conversation.tryAgain(two, "thinker");
  assert.deepEqual([two.body.retry, two.body.reasoning_effort], [4, "high"]);
  const [, again] = StoredConversation.of("c1", TURNS).exchanges;
  again.changes = { reasoning_effort: "low", max_tokens: 4096 };
  conversation.tryAgain(again, "thinker");
  assert.deepEqual([again.body.reasoning_effort, again.body.max_tokens], ["low", 4096]);
});

const LATER = [question(5, "Three", 4), answer(6, "Drei", 5)];

test("earlier turns are added at the beginning", () => {
  const conversation = StoredConversation.of("c1", LATER, true);
  const [three] = conversation.exchanges;
  conversation.prepend(TURNS, false);
  assert.deepEqual(shown(conversation), ["One: Eins", "Two: Zwei", "Three: Drei"]);
  assert.equal(conversation.exchanges[2], three);
  assert.equal(conversation.hasEarlier, false);
});

test("an update of the end keeps the earlier turns", () => {
  const conversation = StoredConversation.of("c1", LATER, true);
  conversation.prepend(TURNS, false);
  const news = conversation.reconcile([...LATER, question(7, "Four", 6), answer(8, "Vier", 7)], true);
  assert.deepEqual(shown(conversation), ["One: Eins", "Two: Zwei", "Three: Drei", "Four: Vier"]);
  assert.deepEqual(news.map(({ question }) => question), ["Four"]);
  assert.equal(conversation.hasEarlier, false);
});

test("an update of another branch replaces turns that do not lead to it", () => {
  const conversation = StoredConversation.of("c1", [...TURNS, ...LATER]);
  conversation.reconcile([question(9, "Deux", 2), answer(10, "Zwei", 9)], true);
  assert.deepEqual(shown(conversation), ["One: Eins", "Deux: Zwei"]);
  conversation.reconcile([question(11, "Elsewhere", 99), answer(12, "Anders", 11)], true);
  assert.deepEqual(shown(conversation), ["Elsewhere: Anders"]);
  assert.equal(conversation.hasEarlier, true);
});

test("a new question follows the last answer", () => {
  const conversation = StoredConversation.of("c1", TURNS);
  const { key, ...body } = conversation.bodyOf("Three", "m");
  assert.deepEqual(body, { text: "Three", model: "m", parent: 4 });
  assert.match(key, /^[0-9a-f]{32}$/);
  assert.equal("parent" in new StoredConversation().bodyOf("One", "m"), false);
});

test("a request with an unknown outcome is repeated unchanged", () => {
  const conversation = new StoredConversation();
  const exchange = conversation.add("One", "m");
  exchange.body = conversation.bodyOf("One", "m");
  const { body } = exchange;
  exchange.answer.fail({ code: "network", message: "", retryable: true });
  conversation.tryAgain(exchange, "other");
  assert.equal(exchange.body, body);
  assert.equal(exchange.answer.model, "m");
  assert.equal(conversation.unsent, exchange);
});

test("a refused request gets a new key", () => {
  const conversation = new StoredConversation();
  const exchange = conversation.add("One", "m");
  exchange.answer.fail({ code: "unknown_model", message: "", retryable: false });
  conversation.tryAgain(exchange, "other");
  assert.deepEqual([exchange.body.text, exchange.body.model], ["One", "other"]);
});

test("a retry names the answer and keeps its key until the server has it", () => {
  const conversation = StoredConversation.of("c1", TURNS);
  const exchange = conversation.last;
  conversation.tryAgain(exchange, "n");
  const { body } = exchange;
  assert.deepEqual([body.retry, body.model, exchange.answer.text], [4, "n", ""]);
  exchange.answer.fail({ code: "network", message: "No network.", retryable: true });
  assert.equal(conversation.withdraw(exchange), exchange);
  assert.deepEqual([exchange.answer.text, exchange.answer.problem.message], ["Zwei", "No network."]);
  conversation.tryAgain(exchange, "n");
  assert.equal(exchange.body, body);
});

test("a stored retry stays the answer, even if it is empty", () => {
  const conversation = StoredConversation.of("c1", TURNS);
  const exchange = conversation.last;
  conversation.tryAgain(exchange, "n");
  const place = { generationId: "", conversationId: "c1", messageId: 5, questionId: 3 };
  exchange.answer.accept(place);
  conversation.accepted(exchange, place);
  exchange.answer.fail({ code: "upstream_busy", message: "Busy.", retryable: true });
  assert.equal(conversation.withdraw(exchange), null);
  assert.deepEqual([exchange.answer.messageId, exchange.body], [5, undefined]);
});

test("continuing names the answer and keeps its text", () => {
  const turns = [question(1, "One"), answer(2, "Half", 1, { state: "interrupted" })];
  const conversation = StoredConversation.of("c1", turns);
  conversation.proceed(conversation.last);
  const { body } = conversation.last;
  assert.deepEqual([body.resume, conversation.last.answer.text], [2, "Half"]);
  conversation.last.answer.fail({ code: "network", message: "", retryable: true });
  conversation.proceed(conversation.last);
  assert.equal(conversation.last.body, body);
});

test("updates are applied, and known exchanges stay the same objects", () => {
  const conversation = StoredConversation.of("c1", TURNS.slice(0, 2));
  const [first] = conversation.exchanges;
  const unsent = conversation.add("Not sent", "m");
  const news = conversation.reconcile(TURNS);
  assert.deepEqual(shown(conversation), ["One: Eins", "Two: Zwei", "Not sent: "]);
  assert.equal(conversation.exchanges[0], first);
  assert.equal(conversation.exchanges[2], unsent);
  assert.deepEqual(news.map(({ question }) => question), ["Two"]);
  assert.deepEqual(conversation.reconcile(TURNS), []);
});

test("an answer that has changed on the server is replaced", () => {
  const conversation = StoredConversation.of("c1", TURNS);
  const [, old] = conversation.exchanges;
  conversation.reconcile([...TURNS.slice(0, 3), answer(4, "Zwei und mehr", 3)]);
  assert.notEqual(conversation.last, old);
  assert.equal(conversation.last.answer.text, "Zwei und mehr");
});

test("a branch that is no longer the latest is removed from the page", () => {
  const conversation = StoredConversation.of("c1", TURNS);
  conversation.reconcile([...TURNS.slice(0, 2), question(5, "Other", 2), answer(6, "Anders", 5)]);
  assert.deepEqual(shown(conversation), ["One: Eins", "Other: Anders"]);
});

test("a question is identified by its text and its parent", () => {
  assert.equal(isQuestionStored({ text: "Two", parent: 2 }, TURNS), true);
  assert.equal(isQuestionStored({ text: "One" }, TURNS), true);
  assert.equal(isQuestionStored({ text: "Two", parent: 4 }, TURNS), false);
});

const VERSIONS = [
  { ...question(1, "One"), versions: [1, 9] },
  { ...answer(2, "Eins", 1), versions: [2, 7] },
  question(3, "Two", 2),
  answer(4, "Zwei", 3),
];

test("each turn has its versions, or only itself if none are given", () => {
  const { exchanges } = StoredConversation.of("c1", VERSIONS);
  assert.deepEqual(exchanges.map(({ versions, answer }) => [versions, answer.versions]), [
    [[1, 9], [2, 7]],
    [[3], [4]],
  ]); // prettier-ignore
  assert.deepEqual(StoredConversation.of("c1", VERSIONS).versionsOf(7), [2, 7]);
});

test("updates of other branches only add versions", () => {
  const conversation = StoredConversation.of("c1", TURNS);
  const [first] = conversation.exchanges;
  assert.deepEqual(conversation.reconcile(VERSIONS), []);
  assert.equal(conversation.exchanges[0], first);
  assert.deepEqual([first.versions, first.answer.versions], [[1, 9], [2, 7]]); // prettier-ignore
});

test("the last stored message identifies the branch", () => {
  const conversation = StoredConversation.of("c1", TURNS);
  assert.equal(conversation.lastId, 4);
  conversation.add("Not sent", "m");
  assert.equal(conversation.lastId, 4);
  assert.equal(new StoredConversation().lastId, 0);
});

test("an edited question replaces the old one and what followed it", () => {
  const conversation = StoredConversation.of("c1", [...VERSIONS, ...LATER]);
  const revised = conversation.revise(conversation.exchanges[1], "Deux", "m");
  assert.deepEqual(shown(conversation), ["One: Eins", "Deux: "]);
  assert.deepEqual([revised.body.text, revised.body.parent], ["Deux", 2]);
  const place = { generationId: "g", conversationId: "c1", messageId: 21, questionId: 20 };
  revised.answer.accept(place);
  conversation.accepted(revised, place);
  assert.deepEqual([revised.versions, revised.answer.versions], [[3, 20], [21]]); // prettier-ignore
  assert.equal(conversation.withdraw(revised), null);
});

test("an edited first question has the parent 0", () => {
  const conversation = StoredConversation.of("c1", TURNS);
  assert.equal(conversation.revise(conversation.exchanges[0], "Uno", "m").body.parent, 0);
});

test("if the server did not accept an edit, everything is restored", () => {
  const conversation = StoredConversation.of("c1", TURNS);
  const [first, second] = conversation.exchanges;
  const revised = conversation.revise(first, "Uno", "m");
  revised.answer.fail({ code: "network", message: "No network.", retryable: true });
  assert.equal(conversation.withdraw(revised), first);
  assert.deepEqual(conversation.exchanges, [first, second]);
  conversation.tryAgain(first, "n");
  assert.deepEqual(conversation.exchanges, [first]);
  first.answer.fail({ code: "network", message: "No network.", retryable: true });
  assert.equal(conversation.withdraw(first), first);
  assert.deepEqual(shown(conversation), ["One: Eins", "Two: Zwei"]);
});

test("a request in a stored chat names its parent, even at the beginning", () => {
  const conversation = StoredConversation.of("c1", []);
  assert.equal(conversation.bodyOf("One", "m").parent, 0);
  assert.equal(isQuestionStored({ text: "One", parent: 0 }, TURNS), true);
});

test("a staff message is an exchange of its own, and a question for staff waits for no model", () => {
  const turn = (id, parent, role, more = {}) => ({
    id, parent, role, text: `text ${id}`, reasoning: "", created_at: "", ...more,
  });
  const conversation = StoredConversation.of("c", [
    turn(1, null, "user"),
    turn(2, 1, "assistant", { state: "stopped" }),
    turn(3, 2, "assistant", { state: "complete", is_person: true }),
    turn(4, 3, "user", { state: "awaiting_staff" }),
    turn(5, 4, "user", { state: "awaiting_staff" }),
    turn(6, 5, "assistant", { state: "complete", is_person: true }),
  ]);
  const shown = conversation.exchanges.map(({ question, answer, isSpoken }) => [question, answer.text, Boolean(isSpoken)]);
  assert.deepEqual(shown, [
    ["text 1", "text 2", false],
    ["", "text 3", true],
    ["text 4", "", false],
    ["text 5", "text 6", false],
  ]);
  assert.deepEqual(conversation.exchanges.map(({ answer }) => answer.isByPerson), [false, true, false, true]);
  assert.ok(conversation.exchanges.every(({ answer }) => answer.isOver));
  assert.equal(conversation.unsent, undefined);
  assert.equal(conversation.lastId, 6);
});

test("a refused question blocks nothing, and is sent after what was sent since", () => {
  const conversation = StoredConversation.of("c", [question(1, "One"), answer(2, "A.", 1)]);
  const refused = conversation.add("Refused", "m");
  refused.answer.fail({ code: "message_too_long", message: "", retryable: false });
  assert.equal(conversation.unsent, undefined);
  assert.deepEqual(conversation.refused, ["Refused"]);
  const next = conversation.add("Two", "m");
  next.body = conversation.bodyOf("Two", "m");
  assert.equal(next.body.parent, 2);
  conversation.accepted(next, { conversationId: "c", questionId: 3, messageId: 4, generationId: "g" });
  next.answer.accept({ generationId: "", messageId: 4 });
  conversation.reconcile([question(1, "One"), answer(2, "A.", 1), question(3, "Two", 2), answer(4, "B.", 3)]);
  assert.deepEqual(conversation.exchanges.map((each) => each.question), ["One", "Refused", "Two"]);
  assert.ok(conversation.moveToEnd(refused));
  conversation.tryAgain(refused, "other");
  assert.deepEqual(conversation.exchanges.map((each) => each.question), ["One", "Two", "Refused"]);
  assert.equal(refused.body.parent, 4);
  assert.equal(refused.body.model, "other");
});
