/** Write text from other people into an element, so that no text takes the browser long to lay out. */

import { breakable } from "../lib/breakable_text.js";

/** @param {Element} element @param {string} text */
export function writeText(element, text) {
  element.replaceChildren(...nodesOf(text));
}

/** @param {string} text @returns {Node[]} */
export function nodesOf(text) {
  const lines = breakable(text);
  return lines.length === 1 ? broken(lines[0]) : lines.map(line);
}

/** @param {string[]} parts */
function line(parts) {
  const element = document.createElement("span");
  element.className = "text-line";
  element.append(...broken(parts));
  return element;
}

/** @param {string[]} parts @returns {Node[]} */
function broken(parts) {
  return parts.flatMap((part, i) => [...(i ? [document.createElement("wbr")] : []), document.createTextNode(part)]);
}
