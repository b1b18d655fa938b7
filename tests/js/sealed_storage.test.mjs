/** What a frame without storage has the page around it keep: the page can't read it, and nobody else gets it. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { SafeStorage } from "../../static/js/browser/safe_storage.js";
import { SealedStorage } from "../../static/js/browser/sealed_storage.js";

const keyOf = (/** @type {number} */ number) => Buffer.alloc(32, number).toString("base64");
const VERAS = keyOf(1);

/** A page that keeps what a frame gives it. */
class Page {
  /** @type {string[]} */
  copies = [];
  #told = () => {};

  constructor(kept = "", key = VERAS) {
    this.given = kept;
    this.secret = key;
  }

  kept = () => this.given;
  key = () => this.secret;
  keep = (/** @type {string} */ copy) => {
    this.copies.push(copy);
    this.#told();
  };

  /** Wait for a copy that satisfies `isWanted`. */
  async copy(isWanted = (/** @type {string} */ _) => true) {
    for (;;) {
      const last = this.copies.at(-1);
      if (last !== undefined && isWanted(last)) return last;
      await new Promise((resolve) => (this.#told = () => resolve(undefined)));
    }
  }
}

async function copyOf(/** @type {Record<string, string>} */ entries, key = VERAS) {
  const page = new Page("", key);
  const storage = new SealedStorage(page);
  await storage.open();
  for (const [name, text] of Object.entries(entries)) storage.setItem(name, text);
  await new Promise((resolve) => setImmediate(resolve)); // the first copy has begun; the last one has all
  const count = Object.keys(entries).length;
  return page.copy((copy) => copy !== "" && storage.length === count);
}

async function opened(/** @type {string} */ kept, key = VERAS) {
  const storage = new SealedStorage(new Page(kept, key));
  await storage.open();
  return storage;
}

test("the next frame finds what was written", async () => {
  const kept = await copyOf({ "runnel:v:draft:new": "A draft with ü and 🛶" });
  const storage = await opened(kept);
  assert.equal(new SafeStorage("v", () => storage).read("draft:new"), "A draft with ü and 🛶");
});

test("the page sees neither the text nor its length", async () => {
  const short = await copyOf({ draft: "My password" });
  const long = await copyOf({ draft: "My password is much longer than that one, ".repeat(5) });
  assert.equal(short.length, long.length);
  for (const copy of [short, long]) assert.doesNotMatch(Buffer.from(copy, "base64").toString("latin1"), /password|draft/);
  assert.notEqual(short, await copyOf({ draft: "My password" })); // nor that it is the same as before
});

test("another visitor gets nothing of it", async () => {
  const kept = await copyOf({ draft: "vera's" });
  assert.equal((await opened(kept, keyOf(2))).length, 0);
});

test("a copy that the page has changed is ignored", async () => {
  const bytes = Buffer.from(await copyOf({ draft: "vera's" }), "base64");
  bytes[20] ^= 1;
  for (const wrong of [bytes.toString("base64"), "no base64!", "AAAA"]) assert.equal((await opened(wrong)).length, 0);
});

test("what was written before the copy was opened stays", async () => {
  const page = new Page(await copyOf({ draft: "old" }));
  const storage = new SealedStorage(page);
  storage.setItem("draft", "new");
  await storage.open();
  assert.equal(storage.getItem("draft"), "new");
  assert.equal((await opened(await page.copy())).getItem("draft"), "new");
});

test("without a session nothing is kept, and what the page has stays", async () => {
  const page = new Page(await copyOf({ draft: "old", other: "kept" }), "");
  const storage = new SealedStorage(page);
  storage.setItem("draft", "new");
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(page.copies, []);
  page.secret = VERAS;
  storage.setItem("draft", "newer");
  const next = await opened(await page.copy());
  assert.deepEqual([next.getItem("draft"), next.getItem("other")], ["newer", "kept"]);
});

test("an identified visitor's copy has their key", async () => {
  const page = new Page();
  const storage = new SealedStorage(page);
  storage.setItem("draft", "mine");
  const first = await page.copy();
  page.secret = keyOf(7);
  await storage.seal();
  const last = await page.copy((copy) => copy !== first);
  assert.equal((await opened(last, keyOf(7))).getItem("draft"), "mine");
  assert.equal((await opened(last)).length, 0);
});

test("after a shutdown the page has nothing, even if its copy was still being opened", async () => {
  const page = new Page(await copyOf({ draft: "secret" }));
  const storage = new SealedStorage(page);
  const opening = storage.open();
  storage.forget();
  await opening;
  assert.equal(storage.length, 0);
  assert.equal(page.copies.at(-1), "");
});

test("an empty storage leaves nothing at the page", async () => {
  const page = new Page();
  const storage = new SealedStorage(page);
  storage.setItem("draft", "text");
  await page.copy();
  storage.removeItem("draft");
  assert.equal(await page.copy((copy) => copy === ""), "");
});

test("a copy takes at most a fifth of the room that browsers give the page", async () => {
  const page = new Page();
  const storage = new SealedStorage(page);
  storage.setItem("draft", "short");
  const first = await page.copy();
  storage.setItem("big", "x".repeat(1_000_000));
  await storage.seal();
  storage.removeItem("big");
  storage.setItem("draft", "later");
  await page.copy((copy) => copy !== first);
  assert.ok(page.copies.every((copy) => copy.length < 10_000));
});

test("without HTTPS there is no encryption, so the page gets nothing", async () => {
  const { subtle } = crypto;
  Object.defineProperty(crypto, "subtle", { value: undefined, configurable: true });
  try {
    const page = new Page();
    const storage = new SealedStorage(page);
    storage.setItem("draft", "in memory only");
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(page.copies, []);
    assert.equal(storage.getItem("draft"), "in memory only");
  } finally {
    Object.defineProperty(crypto, "subtle", { value: subtle, configurable: true });
  }
});
