/** The variables of a prompt: Open WebUI's notation, and what is put in their place. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { fillIn, knownValues, variablesOf } from "../../static/js/prompts/variables.js";

const one = (text) => variablesOf(text)[0];

test("a name alone asks for text, each name once, in the order of the text", () => {
  const found = variablesOf("{{b}} {{ a }} {{b}} {{your_first-name}}");
  assert.deepEqual(found.map(({ name }) => name), ["b", "a", "your_first-name"]);
  assert.deepEqual(found[0], { name: "b", label: "B", type: "text", value: "", placeholder: "", isRequired: false, options: [], bounds: {} });
  assert.equal(found[2].label, "Your first name");
});

test("a type and properties are read as Open WebUI writes them", () => {
  const tone = one('{{tone | select:options=["kind","for: mal","a|b","}"]:default="kind":required}}');
  assert.deepEqual([tone.type, tone.options, tone.value, tone.isRequired], ["select", ["kind", "for: mal", "a|b", "}"], "kind", true]);
  const age = one("{{age|number:min=1:max=9:step=0.5:default=4}}");
  assert.deepEqual([age.type, age.bounds, age.value], ["number", { min: "1", max: "9", step: "0.5" }, "4"]);
  const name = one('{{who | text:placeholder="Say \\"who\\"":label="Your name":default=Ann Lee}}');
  assert.deepEqual([name.placeholder, name.label, name.value], ['Say "who"', "Your name", "Ann Lee"]);
  assert.equal(one("{{x | type=textarea}}").type, "textarea");
  assert.equal(one("{{x | range:min=0}}").type, "number");
  assert.equal(one("{{x | checkbox:default=true}}").value, "true");
  assert.equal(one("{{x | text:required=false}}").isRequired, false);
});

test("a definition may have several lines", () => {
  assert.deepEqual(one('{{x | select\n  :options=[\n"a",\n"b"]}}').options, ["a", "b"]);
});

test("what is not understood asks for text", () => {
  for (const text of ["{{x | map}}", "{{x | select}}", "{{x | select:options=no}}", "{{x|}}", "{{x | __proto__:options=1}}", "{{x | constructor}}"]) {
    assert.equal(one(text).type, "text", text);
  }
  assert.deepEqual(one("{{x | number:min:max=[1]}}").bounds, {});
});

test("the first definition of a name counts, wherever it is", () => {
  const [found, ...others] = variablesOf("{{day}} {{day | date}} {{day | number}}");
  assert.deepEqual([found.type, others.length], ["date", 0]);
});

test("other braces are no variables", () => {
  for (const text of ["", "{a}", "{{}}", "{{ }}", "{{a\nb}}", "{{a", "{{{a}", "{% a %}", `{{${"x".repeat(61)}}}`]) {
    assert.deepEqual(variablesOf(text), [], text);
    assert.equal(fillIn(text, { a: "1" }).text, text);
  }
});

test("values replace every place, and braces in a value stay", () => {
  const text = "Dear {{who}}, {{what | text}}. {{who}}";
  assert.equal(fillIn(text, { who: "{{what}} $& $1", what: "x" }).text, "Dear {{what}} $& $1, x. {{what}} $& $1");
  assert.equal(fillIn(text, { who: "A" }).text, "Dear A, . A");
  assert.equal(fillIn("{{constructor}}{{__proto__}}", {}).text, "");
});

test("the first gap in single braces is found, but none in a value", () => {
  assert.deepEqual(fillIn("To {{who}}: {text} {more}", { who: "{x}" }), { text: "To {x}: {text} {more}", gap: [8, 14] });
  for (const text of ["", "{}", "{a\nb}", "}{", `{${"x".repeat(61)}}`, "{{a}}"]) assert.equal(fillIn(text, {}).gap, null, text);
  assert.deepEqual(fillIn("f() { {x} }", {}).gap, [6, 9]);
});

test("the date and time are known under Open WebUI's names", () => {
  const known = knownValues(new Date(2026, 0, 5, 7, 8), "en");
  assert.equal(known.CURRENT_DATE, "2026-01-05");
  assert.equal(known.CURRENT_DATETIME, "2026-01-05 07:08");
  assert.equal(known.CURRENT_WEEKDAY, "Monday");
  assert.equal(fillIn("{{CURRENT_TIME}}", known).text, "07:08");
});

test("a long text full of braces is read in linear time", { timeout: 5000 }, () => {
  for (const part of ["{{x|", '{{x|"', "{{ ", '{{x|"{{"', "{{x | a:", "[[[:"]) variablesOf(`{{y | ${part}`.repeat(20_000 / part.length));
});
