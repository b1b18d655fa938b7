import assert from "node:assert/strict";
import test from "node:test";
import { asksForPerson } from "../../static/js/lib/phrases.js";

test("a phrase is found as whole words, whatever the case and the signs between them", () => {
  const phrases = ["a human", "mit jemandem reden", "إنسان"];
  for (const text of ["Is there A HUMAN?", "a\nhuman", "Kann ich mit jemandem, reden", "أريد إنسان!"]) {
    assert.equal(asksForPerson(text, phrases), true, text);
  }
  for (const text of ["", "a humane answer", "human", "mit jemand reden"]) assert.equal(asksForPerson(text, phrases), false, text);
  assert.equal(asksForPerson("anything", []), false);
});

test("a phrase of signs only is never found", () => {
  for (const text of ["What? Really", ""]) assert.equal(asksForPerson(text, ["???"]), false);
});
