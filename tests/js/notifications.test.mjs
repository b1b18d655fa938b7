import assert from "node:assert/strict";
import { test } from "node:test";
import { listenForNotifications } from "../../static/js/api/notifications.js";

/** @returns {any} */
function ears() {
  const sockets = [];
  const sleeps = [];
  const told = [];
  const clock = { ms: 0 };
  const env = {
    now: () => clock.ms,
    random: () => 1,
    socket: (path) => {
      const socket = { path };
      sockets.push(socket);
      return socket;
    },
    sleep: async (ms) => void sleeps.push(ms),
  };
  listenForNotifications(env, (hint) => told.push(hint));
  return { sockets, sleeps, told, clock };
}

const settled = () => new Promise((resolve) => setTimeout(resolve));

test("a notification is passed on unchanged", () => {
  const { sockets, told } = ears();
  sockets[0].onopen();
  sockets[0].onmessage({ data: '{"kind":"turn","conversation":"c1","tab":""}' });
  assert.deepEqual(told, [{ kind: "turn", conversation: "c1", tab: "" }]);
  assert.equal(sockets[0].path, "/chat/notifications");
});

test("after a lost connection it reconnects with growing waits and reports possibly missed notifications", async () => {
  const { sockets, sleeps, told } = ears();
  sockets[0].onclose({ code: 1006 });
  await settled();
  sockets[1].onclose({ code: 1006 });
  await settled();
  assert.deepEqual(sleeps, [1000, 2000]);
  sockets[2].onopen();
  assert.deepEqual(told, [null]);
  sockets[2].onclose({ code: 1001 });
  await settled();
  assert.equal(sleeps.at(-1), 1000);
});

test("it never gives up, and soon retries only every half minute", async () => {
  const { sockets, sleeps } = ears();
  for (let n = 0; n < 50; n++) {
    sockets.at(-1).onclose({ code: 1006 });
    await settled();
  }
  assert.equal(sockets.length, 51);
  assert.equal(sleeps.at(-1), 60_000);
});

test("a page whose session has a new key listens again; one that is signed out stops", async () => {
  const { sockets, clock } = ears();
  clock.ms = 60_000;
  sockets[0].onclose({ code: 4401 });
  await settled();
  assert.equal(sockets.length, 2);
  sockets[1].onclose({ code: 4401 });
  await settled();
  assert.equal(sockets.length, 2);
});
