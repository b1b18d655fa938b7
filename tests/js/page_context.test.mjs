import assert from "node:assert/strict";
import { test } from "node:test";

import { withAddress, withGreeting } from "../../static/js/controllers/widget/page_context.js";

const NAME = "message shown before the question";

test("without a greeting, the website's context is sent as it is", () => {
  const context = { page: { product: "Canoe" } };
  assert.equal(withGreeting(context, ""), context);
  assert.equal(withGreeting(null, ""), null);
});

test("a greeting is sent with what the website says", () => {
  const context = { page: { product: "Canoe" }, user: { plan: "gold" } };
  assert.deepEqual(withGreeting(context, "Need help?"), {
    page: { [NAME]: "Need help?", product: "Canoe" },
    user: { plan: "gold" },
  });
  assert.deepEqual(withGreeting(null, "Need help?"), { page: { [NAME]: "Need help?" } });
});

test("a greeting never makes the context larger than the server takes", () => {
  const page = Object.fromEntries(Array.from({ length: 30 }, (_, number) => [`name ${number}`, number]));
  const { page: sent } = withGreeting({ page }, "Need help?");
  assert.equal(Object.keys(sent).length, 30);
  assert.equal(sent[NAME], "Need help?");
  const long = { page: { one: "x".repeat(500) }, user: { two: "x".repeat(3400) } };
  assert.equal(withGreeting(long, "y".repeat(300)), long);
});

test("the page's address is added, unless the website says another or there is no room", () => {
  const address = "https://shop.example/canoes";
  assert.deepEqual(withAddress(null, address), { address });
  assert.deepEqual(withAddress({ page: { product: "Canoe" } }, address), { page: { product: "Canoe" }, address });
  const other = { page: { address: "/canoes" } };
  assert.equal(withAddress(other, address), other);
  assert.equal(withAddress(null, ""), null);
  const long = { page: { one: "x".repeat(500) }, user: { two: "x".repeat(3440) } };
  assert.equal(withAddress(long, address), long);
});
