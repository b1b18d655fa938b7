import assert from "node:assert/strict";
import { test } from "node:test";

import { blockQuote } from "../../static/js/lib/block_quote.js";

test("each line of a quotation has its mark", () => {
  assert.equal(blockQuote("One\ntwo"), "> One\n> two\n\n");
});

test("space around it goes, empty lines within it stay part of it", () => {
  assert.equal(blockQuote("\n One\r\n\r\n  two \n"), "> One\n>\n>   two\n\n");
});
