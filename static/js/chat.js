/** The chat page: puts its parts together. */

import "./htmx_policy.js";
import { Chat } from "./elements/chat.js";
import { wireConnectionDialog } from "./elements/connection_dialog.js";
import { Status } from "./elements/status.js";
import { Shelf } from "./lib/shelf.js";
import { world } from "./stream/world.js";

/** @param {string} id */
const byId = (id) => /** @type {any} */ (document.getElementById(id));

const page = byId("main");
const shelf = new Shelf(page.dataset.member);
const status = new Status(byId("announcer"), byId("hint"));
const chat = new Chat({
  page,
  shelf,
  status,
  world,
  thread: byId("thread"),
  composer: byId("composer"),
  jump: byId("jump"),
  models: byId("model"),
});

byId("new-chat").addEventListener("click", () => chat.startOver());
byId("sign-out").addEventListener("submit", () => shelf.close());
page.addEventListener("click", (/** @type {any} */ { target }) => {
  const starter = target.closest(".starter");
  if (starter) chat.send(starter.dataset.prompt);
});
wireConnectionDialog(byId("connection"), status);
chat.restore();
