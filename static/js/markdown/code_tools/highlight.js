/**
 * Highlight code. highlight.js returns HTML as a string; its grammar is only spans with a class and four escapes, which
 * are parsed here and turned into elements, so no HTML parser is involved. Each language is a file, loaded on first
 * use.
 */

import { whenIdle } from "../../browser/idle.js";
import { onDemand } from "../../browser/on_demand.js";

const PART = /<span class="([\w -]+)">|<(\/)span>|([^<]+)/g;
const ESCAPES = /** @type {Record<string, string>} */ ({ amp: "&", lt: "<", gt: ">", quot: '"', "#x27": "'" });

const core = onDemand("highlight");
/** @type {Map<string, () => Promise<{default: object} | null>>} */
const grammars = new Map();

/**
 * @param {Element} element that holds plain code
 * @param {string} language
 */
export async function highlightCode(element, language) {
  const hljs = await loaded(language);
  const source = element.textContent ?? "";
  if (!hljs) return;
  const { value } = hljs.highlight(source, { language, ignoreIllegals: true });
  whenIdle(() => replace(element, parseHighlighted(value), source));
}

/** @param {string} language one of the files in ../languages.js */
async function loaded(language) {
  if (!grammars.has(language)) grammars.set(language, onDemand(`highlight/${language}.min.js`));
  const [highlighter, grammar] = await Promise.all([core(), grammars.get(language)?.()]);
  if (!highlighter || !grammar) return null;
  const { default: hljs } = highlighter;
  if (!hljs.getLanguage(language)) hljs.registerLanguage(language, grammar.default);
  return hljs;
}

/**
 * Split the output of highlight.js into pieces of text, each with its classes.
 * @param {string} html
 * @returns {{text: string, classes: string}[]}
 */
export function parseHighlighted(html) {
  const open = [""];
  const found = [];
  for (const [, opens, closes, text] of html.matchAll(PART)) {
    if (opens) open.push(opens);
    else if (closes) open.pop();
    else found.push({ text: unescaped(text), classes: open.at(-1) ?? "" });
  }
  return found;
}

/** @param {string} text */
function unescaped(text) {
  return text.replace(/&(amp|lt|gt|quot|#x27);/g, (_, name) => ESCAPES[name]);
}

/**
 * @param {Element} element
 * @param {{text: string, classes: string}[]} pieces
 * @param {string} source the result must contain all of it
 */
function replace(element, pieces, source) {
  if (pieces.map(({ text }) => text).join("") !== source || element.textContent !== source) return;
  const fragment = document.createDocumentFragment();
  for (const { text, classes } of pieces) fragment.append(classes ? span(text, classes) : text);
  element.replaceChildren(fragment);
}

/** @param {string} text @param {string} classes */
function span(text, classes) {
  const element = document.createElement("span");
  element.className = classes;
  element.append(text);
  return element;
}
