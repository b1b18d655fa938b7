/**
 * Find a word or phrase in the text of an element, also if it is partly in bold, for example. Scripts that don't part words
 * have it inside longer ones; elsewhere only whole words count.
 * @param {Element} element
 * @param {string} word
 * @returns {Range[]} at most `MAX_PLACES`
 */
export function findWords(element, word) {
  const nodes = textNodes(element);
  const text = nodes.map(({ data }) => data).join("");
  const literal = word.trim().replace(/[\\^$.*+?()[\]{}|]/g, "\\$&").replace(/\s+/g, "\\s+");
  if (!literal) return [];
  const places = placesOf(`(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])`, text);
  return rangesOf(nodes, places.length ? places : placesOf(literal, text));
}

const MAX_PLACES = 500;

/** @typedef {{start: number, end: number}} Place in the joined text of the nodes */

/** @param {Element} element */
function textNodes(element) {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const nodes = /** @type {Text[]} */ ([]);
  while (walker.nextNode()) nodes.push(/** @type {Text} */ (walker.currentNode));
  return nodes;
}

/**
 * @param {string} pattern
 * @param {string} text
 * @returns {Place[]}
 */
function placesOf(pattern, text) {
  const matches = text.matchAll(new RegExp(pattern, "giu"));
  return Array.from(matches, ({ index, 0: { length } }) => ({ start: index, end: index + length })).slice(0, MAX_PLACES);
}

/**
 * @param {Text[]} nodes
 * @param {Place[]} places in order
 */
function rangesOf(nodes, places) {
  let number = 0;
  let before = 0;
  /** @param {number} place @returns {[Text, number]} the node that has the character before this place, or the first */
  const find = (place) => {
    while (before + nodes[number].length < place) before += nodes[number++].length;
    return [nodes[number], place - before];
  };
  return places.map(({ start, end }) => {
    const range = new Range();
    const [node, offset] = find(start + 1);
    range.setStart(node, offset - 1);
    range.setEnd(...find(end));
    return range;
  });
}
