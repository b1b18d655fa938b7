import assert from "node:assert/strict";
import { test } from "node:test";

import { blockQuote } from "../../static/js/lib/block_quote.js";

test("each line of a quotation has a marker", () => {
  assert.equal(blockQuote("One\ntwo"), "> One\n> two\n\n");
});

test("surrounding space is removed, and empty lines inside are kept", () => {
  assert.equal(blockQuote("\n One\r\n\r\n  two \n"), "> One\n>\n>   two\n\n");
});
