/** Files are sent two at a time; refusals that pass are waited for, and others name their file. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { ApiError } from "../../static/js/api/errors.js";
import { chosenFiles } from "../../static/js/browser/dropped_files.js";
import { Uploads } from "../../static/js/models/uploads.js";

const added = (name) => ({ added: { added: [{ id: name, name }], refused: [] } });
const refused = (status, retryable, waitMs = 0) => ({ error: new ApiError("no", `refused ${status}`, { status, retryable }), waitMs });
const file = (path) => ({ file: null, path });

/** Send files whose answers are given by name, one after the other; resolve when all have ended. */
function run(answers, names = Object.keys(answers)) {
  const waits = [];
  const sent = [];
  let most = 0;
  let running = 0;
  return new Promise((resolve) => {
    const env = { random: () => 1, sleep: async (ms) => void waits.push(ms) };
    const send = async ({ path }) => {
      sent.push(path);
      most = Math.max(most, ++running);
      await null;
      running--;
      return answers[path].shift();
    };
    const uploads = new Uploads(env, send, () => {
      if (!uploads.isRunning && uploads.done === uploads.total) resolve({ uploads, waits, sent, most });
    });
    uploads.add(names.map(file));
  });
}

test("two are sent at once, until all are added", async () => {
  const { uploads, most } = await run(Object.fromEntries(["a", "b", "c", "d"].map((name) => [name, [added(name)]])));
  assert.deepEqual([uploads.added, uploads.total, most], [4, 4, 2]);
  assert.deepEqual(uploads.refused, []);
});

test("what is refused for a moment is sent again after the time that the server asks for", async () => {
  const { uploads, waits, sent } = await run({ a: [refused(429, true, 7000), refused(503, true), added("a")] });
  assert.deepEqual([sent.length, waits[0], uploads.added], [3, 7000, 1]);
});

test("each refused file is named with its reason, and may be sent again if that can help", async () => {
  const { uploads } = await run({ large: [refused(413, false)], lost: [refused(0, true)], fine: [added("fine")] });
  const reasons = Object.fromEntries(uploads.refused.map(({ name, reason, again }) => [name, [reason, again !== null]]));
  assert.deepEqual(reasons, { large: ["refused 413", false], lost: ["refused 0", true] });
  assert.equal(uploads.done, 3);
});

test("after signing out nothing more is sent, and no file is forgotten", async () => {
  const { uploads, sent } = await run({ a: [refused(401, false)], b: [refused(401, false)], c: [], d: [] });
  assert.equal(sent.length, 2);
  assert.deepEqual(uploads.refused.map(({ name }) => name).sort(), ["a", "b", "c", "d"]);
  assert.ok(uploads.refused.every(({ again }) => again));
});

test("files of a folder are named below it, without hidden ones", () => {
  const paths = ["docs/a.txt", "docs/sub/b.txt", "docs/.git/config", "docs/Thumbs.db"];
  const folder = paths.map((path) => ({ name: path.split("/").pop(), webkitRelativePath: path }));
  const found = chosenFiles([...folder, { name: "c.txt", webkitRelativePath: "" }]);
  assert.deepEqual(found.map(({ path }) => path), ["a.txt", "sub/b.txt", "c.txt"]);
});
