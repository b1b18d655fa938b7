/**
 * The passages of documents that an answer is based on: its citations, which are links where the reader may open the
 * document, and a list below the answer.
 */

import { t } from "../../lib/i18n.js";

/** @typedef {import("../../types.js").Source} Source */

const CITATION = /\[(\d{1,3})\]/g;
/** Where numbers in brackets mean something else. */
const OTHER_TEXT = "a, button, code, pre, math, .katex";

/**
 * Turn the citations in a formatted answer into links, and list what it cites.
 * @param {HTMLElement} box of the list
 * @param {HTMLElement} text
 * @param {Source[]} sources
 */
export function showSources(box, text, sources) {
  const known = new Map(sources.filter((source) => !source.is_related).map((source) => [source.number, source]));
  const cited = new Set([...text.querySelectorAll(".source-citation")].map((link) => Number(link.textContent)));
  for (const node of textNodes(text)) {
    for (const number of linkCitations(node, known)) cited.add(number);
  }
  box.replaceChildren(...list(sources, cited));
  box.hidden = false;
}

/** @param {HTMLElement} element @returns {Text[]} */
function textNodes(element) {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const nodes = [];
  while (walker.nextNode()) {
    const node = /** @type {Text} */ (walker.currentNode);
    if (node.data.includes("[") && !node.parentElement?.closest(OTHER_TEXT)) nodes.push(node);
  }
  return nodes;
}

/** Return the numbers that a text cites. @param {Text} node @param {Map<number, Source>} known */
function linkCitations(node, known) {
  const found = [...node.data.matchAll(CITATION)].filter(([, number]) => known.has(Number(number)));
  const parts = [];
  let at = 0;
  for (const match of found) {
    parts.push(node.data.slice(at, match.index), citation(/** @type {Source} */ (known.get(Number(match[1])))));
    at = match.index + match[0].length;
  }
  if (found.length) node.replaceWith(...parts, node.data.slice(at));
  return found.map(([, number]) => Number(number));
}

/** @param {Source} source */
function citation(source) {
  const where = describe(source);
  const element = linkTo(source, String(source.number));
  element.className = "source-citation";
  element.title = where;
  element.setAttribute("aria-label", t("Source {number}: {name}", { number: source.number, name: where }));
  if (element.localName !== "a") element.setAttribute("role", "note");
  return element;
}

/** @param {Source} source @param {string} label */
function linkTo(source, label) {
  const href = addressOf(source);
  const element = document.createElement(href ? "a" : "span");
  element.textContent = label;
  if (element instanceof HTMLAnchorElement) {
    element.href = href;
    element.target = "_blank";
    element.rel = "noopener";
  }
  return element;
}

/**
 * Return the address of the web page, or of the document if the reader may open it.
 * @param {Source} source
 */
function addressOf({ document: id, passage, address }) {
  if (address && /^https?:/.test(address)) return address;
  if (!id) return "";
  return `/collections/documents/${encodeURIComponent(id)}/?passage=${encodeURIComponent(passage ?? "")}#passage`;
}

/** @param {Source} source */
function describe({ name, page }) {
  return page ? t("{name}, page {page}", { name, page }) : name;
}

/** @param {Source[]} sources @param {Set<number>} cited */
function list(sources, cited) {
  const title = document.createElement("p");
  title.className = "sources-title";
  const related = sources.filter(({ is_related }) => is_related);
  const shown = related.length ? related : sources.filter(({ number }) => cited.has(number));
  if (related.length) title.textContent = t("Related pages");
  else if (!sources.length) title.textContent = t("Nothing was found in the documents.");
  else if (!shown.length) title.textContent = t("This answer cites none of the documents.");
  else title.textContent = t("From these documents");
  const items = document.createElement(related.length ? "ul" : "ol");
  for (const source of shown) {
    const item = document.createElement("li");
    const name = document.createElement("bdi");
    name.append(linkTo(source, describe(source)));
    if (!related.length) item.value = source.number;
    item.append(name);
    items.append(item);
  }
  return shown.length ? [title, items] : [title];
}
