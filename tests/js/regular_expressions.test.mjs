/** Each regular expression of the scripts takes time in proportion to the text, whatever is in it. */

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";

import { Linter } from "eslint";

const SHORT = 3_000;
const TIMES = 4;
/** Quadratic work takes 16 times as long; the rest is for a busy machine. */
const MOST_TIMES_LONGER = 10;
/** Below this, an expression is fast enough whatever its growth. */
const NEGLIGIBLE_MS = 20;
const USUAL = ["a", "b", "A", "1", " ", "\n", "\t", ".", "-", "\u0628", "\u0301"];

function files() {
  return ["static/js", "static/widget"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".js"))
      .map((name) => `${folder}/${name}`),
  );
}

/** @returns {Map<string, RegExp>} the expressions of all files, by place */
function expressions() {
  const found = new Map();
  const linter = new Linter();
  for (const file of files()) {
    const collect = {
      create: () => ({
        "Literal[regex]": ({ loc, regex, raw }) =>
          found.set(`${file}:${loc.start.line} ${raw.slice(0, 60)}`, new RegExp(regex.pattern, regex.flags)),
      }),
    };
    const config = { linterOptions: { reportUnusedDisableDirectives: "off" }, plugins: { own: { rules: { collect } } }, rules: { "own/collect": "error" } };
    assert.deepEqual(linter.verify(readFileSync(file, "utf8"), config), []);
  }
  return found;
}

/** Return texts that repeat what the expression names, alone and in pairs. @param {RegExp} expression */
function units({ source }) {
  const named = source.replace(/\\[pP]\{\w+\}|\\[nrtsSwWdDbBkux]/g, "").match(/[^\\[\](){}?*+|^$]/gu) ?? [];
  const characters = [...new Set([...USUAL, ...named])].slice(0, 16);
  return characters.flatMap((one) => [one, ...characters.map((other) => one + other)]);
}

/** @param {RegExp} expression @param {string} unit @param {number} length */
function milliseconds(expression, unit, length) {
  const text = unit.repeat(Math.ceil(length / unit.length));
  const all = new RegExp(expression.source, [...new Set(`${expression.flags.replace("y", "")}g`)].join(""));
  const { user } = process.cpuUsage();
  text.replace(all, "");
  return (process.cpuUsage().user - user) / 1000;
}

/** @param {RegExp} expression @param {string} unit */
function isSlow(expression, unit) {
  const long = milliseconds(expression, unit, SHORT * TIMES);
  if (long < NEGLIGIBLE_MS) return false;
  const short = milliseconds(expression, unit, SHORT);
  const again = milliseconds(expression, unit, SHORT * TIMES);
  return Math.min(long, again) > MOST_TIMES_LONGER * Math.max(short, 0.5);
}

const all = expressions();

test("all expressions are found", () => assert.ok(all.size > 50, `${all.size}`));

for (const [place, expression] of all) {
  test(`${place} is linear`, () => {
    assert.deepEqual(units(expression).filter((unit) => isSlow(expression, unit)), []);
  });
}
