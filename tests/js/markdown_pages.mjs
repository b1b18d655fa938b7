/** The page that results from Markdown in pieces: the changes are applied one after the other. */

import { createRequire } from "node:module";
import { readFileSync } from "node:fs";

import remend from "remend";

import { IncrementalMarkdown } from "../../static/js/markdown/incremental_markdown.js";

/** @param {string[]} pieces @returns the nodes that a page has at the end */
export function read(pieces, onStep = () => {}) {
  const reading = new IncrementalMarkdown(remend);
  let page = [];
  let settled = 0;
  const take = (change) => {
    page = [...page.slice(0, settled), ...change.nodes];
    settled += change.settled;
    for (const [old, revised] of change.revised) page[page.indexOf(old)] = revised;
    onStep(page, settled);
  };
  for (const piece of pieces) {
    reading.append(piece);
    take(reading.read());
  }
  take(reading.end());
  return page;
}

/** Return nodes as readable text: `p["a ", em["b"]]`. */
export function outlineOf(nodes) {
  return nodes.map((node) => {
    if ("text" in node) return JSON.stringify(node.text);
    const attributes = Object.entries(node.attributes).filter(([name]) => name !== "dir");
    const shown = attributes.map(([name, value]) => `${name}=${value}`).join(" ");
    return `${node.tag}${shown && `(${shown})`}[${outlineOf(node.children)}]`;
  }).join(", ");
} // prettier-ignore

/** @param {string} text @param {() => number} random @param {number} longest */
export function cut(text, random, longest) {
  const pieces = [];
  for (let at = 0; at < text.length; ) {
    const length = 1 + Math.floor(random() * longest);
    pieces.push(text.slice(at, at + length));
    at += length;
  }
  return pieces;
}

/** Return a random number generator that is the same for the same seed. @param {number} seed */
export function seeded(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The examples of CommonMark's specification. */
export function commonMarkExamples() {
  const file = createRequire(import.meta.url).resolve("commonmark-spec/spec.txt");
  const text = readFileSync(file, "utf8").replaceAll("\r\n", "\n");
  const pattern = /^`{32} example\n([\s\S]*?)^\.\n([\s\S]*?)^`{32}$/gm;
  return Array.from(text.matchAll(pattern), ([, markdown, html]) => ({
    markdown: markdown.replaceAll("→", "\t"),
    html: html.replaceAll("→", "\t"),
  }));
}
