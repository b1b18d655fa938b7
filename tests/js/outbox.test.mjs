import assert from "node:assert/strict";
import { test } from "node:test";

import { Shelf } from "../../static/js/lib/shelf.js";
import { Outbox } from "../../static/js/models/outbox.js";
import { storage } from "./fake_site.mjs";

const BODY = { key: "k1", text: "Why?", model: "m" };
const turn = { id: 1, parent: null, role: "user", text: "Why?" };
const reopen = (items, place = "") => new Outbox(new Shelf("7", () => items), place);

test("each conversation has its own draft", () => {
  const items = storage();
  reopen(items, "a").draft = "to a";
  reopen(items, "b").draft = "to b";
  assert.deepEqual([reopen(items, "a").draft, reopen(items, "b").draft, reopen(items).draft], ["to a", "to b", ""]);
});

test("a message of which nothing was heard is in the composer again", () => {
  const items = storage();
  const outbox = reopen(items);
  outbox.keep(BODY);
  outbox.draft = "And then?";
  assert.equal(reopen(items).restore([]), "Why?\n\nAnd then?");
  assert.equal(reopen(items).restore([]), "Why?\n\nAnd then?");
});

test("sent again unchanged, it is the same send; changed, it is another", () => {
  const items = storage();
  reopen(items).keep(BODY);
  assert.equal(reopen(items).keep({ ...BODY, key: "k2" }).key, "k1");
  assert.equal(reopen(items).keep({ ...BODY, key: "k3", text: "Why not?" }).key, "k3");
});

test("a message that is stored is not offered again", () => {
  const items = storage();
  reopen(items, "c").keep(BODY);
  assert.equal(reopen(items, "c").restore([turn]), "");
  assert.equal(reopen(items, "c").restore([]), "");
});

test("a message that arrived leaves nothing behind", () => {
  const items = storage();
  const outbox = reopen(items);
  outbox.keep(BODY);
  outbox.forget();
  assert.equal(items.length, 0);
});

test("what was typed during the first answer moves to the conversation's address", () => {
  const items = storage();
  const outbox = reopen(items);
  outbox.draft = "And then?";
  outbox.move("c1");
  assert.deepEqual([reopen(items, "c1").draft, reopen(items).draft], ["And then?", ""]);
});
