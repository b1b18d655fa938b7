import assert from "node:assert/strict";
import { test } from "node:test";

import { QuestionEdits } from "../../static/js/models/question_edits.js";

class FakeShelf {
  #kept = new Map();
  read = (name) => this.#kept.get(name) ?? null;
  write = (name, text) => (text === null ? this.#kept.delete(name) : this.#kept.set(name, text));
}

const body = (key, text = "Anew") => ({ key, text, model: "m", parent: 0 });
const turn = (id, text) => ({ id, parent: null, role: "user", text });

test("a text stays until it is discarded", () => {
  const shelf = new FakeShelf();
  new QuestionEdits(shelf).write(3, "half a th");
  const edits = new QuestionEdits(shelf);
  assert.equal(edits.read(3), "half a th");
  assert.deepEqual(edits.findUnfinished([turn(1, "One"), turn(3, "Two")]), [3]);
  edits.forget(3);
  assert.equal(edits.read(3), null);
});

test("an edit sent again unchanged keeps its key, whatever was typed in between", () => {
  const edits = new QuestionEdits(new FakeShelf());
  assert.equal(edits.keep(3, body("first")).key, "first");
  edits.write(3, "Anew, and more");
  edits.write(3, "Anew");
  assert.equal(edits.keep(3, body("second")).key, "first");
  assert.equal(edits.keep(3, body("third", "Otherwise")).key, "third");
});

test("an edit that has arrived is no longer being edited", () => {
  const edits = new QuestionEdits(new FakeShelf());
  edits.keep(3, body("first"));
  assert.deepEqual(edits.findUnfinished([turn(3, "One"), turn(9, "Anew")]), []);
  assert.equal(edits.read(3), null);
});

test("invalid stored data is ignored", () => {
  const shelf = new FakeShelf();
  shelf.write("edit:3", "{");
  assert.equal(new QuestionEdits(shelf).read(3), null);
});
