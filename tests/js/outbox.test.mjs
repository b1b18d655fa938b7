import assert from "node:assert/strict";
import { test } from "node:test";

import { SafeStorage } from "../../static/js/browser/safe_storage.js";
import { Outbox } from "../../static/js/models/outbox.js";
import { storage } from "./fake_site.mjs";

const BODY = { key: "k1", text: "Why?", model: "m" };
const turn = { id: 1, parent: null, role: "user", text: "Why?" };
const reopen = (items, place = "") => new Outbox(new SafeStorage("7", () => items), place);

test("each conversation has its own draft", () => {
  const items = storage();
  reopen(items, "a").draft = "to a";
  reopen(items, "b").draft = "to b";
  assert.deepEqual([reopen(items, "a").draft, reopen(items, "b").draft, reopen(items).draft], ["to a", "to b", ""]);
});

test("a message without a response returns to the composer", () => {
  const items = storage();
  const outbox = reopen(items);
  outbox.keep(BODY);
  outbox.draft = "And then?";
  assert.equal(reopen(items).restore([]), "Why?\n\nAnd then?");
  assert.equal(reopen(items).restore([]), "Why?\n\nAnd then?");
});

test("sent again unchanged, it keeps its key; changed, it gets a new one", () => {
  const items = storage();
  reopen(items).keep(BODY);
  assert.equal(reopen(items).keep({ ...BODY, key: "k2" }).key, "k1");
  assert.equal(reopen(items).keep({ ...BODY, key: "k3", text: "Why not?" }).key, "k3");
});

test("a stored message is not offered again", () => {
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

test("text typed during the first answer moves to the new conversation", () => {
  const items = storage();
  const outbox = reopen(items);
  outbox.draft = "And then?";
  outbox.move("c1");
  assert.deepEqual([reopen(items, "c1").draft, reopen(items).draft], ["And then?", ""]);
});

const page = (tab, device, place = "") => new Outbox(new SafeStorage("7", () => tab), place, new SafeStorage("7", () => device));

test("a closed tab leaves its draft to the next page of the same conversation, once", () => {
  const device = storage();
  const closed = page(storage(), device, "a");
  closed.draft = "half a thought";
  closed.leave();
  const [next, another] = [storage(), storage()];
  assert.equal(page(another, device, "b").restore([]), "");
  assert.equal(page(next, device, "a").restore([]), "half a thought");
  assert.equal(page(another, device, "a").restore([]), "");
  assert.equal(page(next, device, "a").restore([]), "half a thought");
});

test("each open tab has its own draft", () => {
  const device = storage();
  const [one, other] = [page(storage(), device), page(storage(), device)];
  one.draft = "to the one";
  other.draft = "to the other";
  assert.deepEqual([one.restore([]), other.restore([])], ["to the one", "to the other"]);
});

test("a tab's own draft takes precedence over one that was left", () => {
  const [tab, device] = [storage(), storage()];
  const left = page(storage(), device);
  left.draft = "left";
  left.leave();
  page(tab, device).draft = "own";
  assert.equal(page(tab, device).restore([]), "own");
  assert.equal(page(storage(), device).restore([]), "left");
});

test("a message being sent survives its tab, too", () => {
  const device = storage();
  const tab = storage();
  const outbox = page(tab, device);
  outbox.keep(BODY);
  outbox.draft = "And then?";
  outbox.leave();
  assert.equal(page(tab, device).restore([]), "Why?\n\nAnd then?");
  page(tab, device).leave();
  assert.equal(page(storage(), device).restore([]), "Why?\n\nAnd then?");
});

test("a message that arrived after all is not offered again", () => {
  const [tab, device] = [storage(), storage()];
  const outbox = page(tab, device, "c");
  outbox.keep(BODY);
  outbox.draft = "And then?";
  outbox.leave();
  assert.equal(page(tab, device, "c").restore([turn]), "And then?");
});

test("a message being sent keeps its key in another tab, and is removed once it has arrived", () => {
  const device = storage();
  const closed = page(storage(), device);
  closed.keep(BODY);
  closed.draft = "And then?";
  closed.leave();
  const next = page(storage(), device);
  next.restore([]);
  assert.equal(next.unsentKey, "k1");
  assert.equal(next.keep({ ...BODY, key: "k2" }).key, "k1");
  next.draft = "Why?\n\nAnd then?";
  next.arrived();
  assert.deepEqual([next.unsentKey, next.draft], ["", "And then?"]);
  assert.equal(device.length, 0);
});

test("a tab with its own draft does not take over a message", () => {
  const device = storage();
  const closed = page(storage(), device);
  closed.keep(BODY);
  closed.leave();
  const tab = storage();
  page(tab, device).draft = "own";
  const other = page(tab, device);
  assert.deepEqual([other.restore([]), other.unsentKey], ["own", ""]);
  assert.equal(page(storage(), device).restore([]), "Why?");
});
