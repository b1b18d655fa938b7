import assert from "node:assert/strict";
import { test } from "node:test";

import { Gate } from "../../static/js/controllers/widget/gate.js";

test("a message box is shown once no reason against it is left", () => {
  const box = { hidden: true };
  const gate = new Gate(/** @type {any} */ ([box]));
  gate.set("consent", true);
  gate.set("form", true);
  gate.set("consent", false);
  assert.equal(box.hidden, true);
  gate.set("form", false);
  gate.set("form", false);
  assert.equal(box.hidden, false);
});
