/** A staff message counts as sent only if the site confirms it. */

import assert from "node:assert/strict";
import { test } from "node:test";

await import("../../static/js/lib/i18n.js"); // in English: there is no page yet
globalThis.document = { addEventListener() {}, visibilityState: "visible" };
globalThis.addEventListener ??= () => {};
globalThis.FormData = class {};

const { needsSignInOrReason, submitReviewForm } = await import("../../static/js/api/staff_review.js");

/** @param {Response} response */
function answered(response) {
  globalThis.fetch = async () => response;
  return submitReviewForm({ action: "/review/x/turns/" }).then(() => null, (error) => error);
}

const refused = (status, code) =>
  new Response(JSON.stringify({ error: { code, message: "In words.", retryable: false } }), {
    status,
    headers: { "Content-Type": "application/json" },
  });

test("a message is sent once the site has accepted it", async () => {
  assert.equal(await answered(new Response(null, { status: 204 })), null);
});

test("another page instead of the response is not a confirmation", async () => {
  const page = new Response("<p>Reason for access</p>", { headers: { "Content-Type": "text/html" } });
  const error = await answered(page);
  assert.match(error.message, /Your draft is saved/);
  assert.equal(needsSignInOrReason(error), false);
});

for (const [status, code] of [[403, "reason_required"], [401, "not_authenticated"]]) {
  test(`${code} shows the site's message and can be resolved in another tab`, async () => {
    const error = await answered(refused(status, code));
    assert.equal(error.message, "In words.");
    assert.equal(needsSignInOrReason(error), true);
  });
}
