import assert from "node:assert/strict";
import { test } from "node:test";

import { quoteOf } from "../../static/js/lib/quotes.js";

test("each line of a quotation has its mark", () => {
  assert.equal(quoteOf("One\ntwo"), "> One\n> two\n\n");
});

test("space around it goes, empty lines within it stay part of it", () => {
  assert.equal(quoteOf("\n One\r\n\r\n  two \n"), "> One\n>\n>   two\n\n");
});
