/**
 * Formatted text as HTML and tables as tab-separated values, for the clipboard. Only names on a list are written and all
 * text is escaped, so what a model, an extension or a page translation has put there stays text. Pure.
 */

/** The answer's own headings begin below that of the page; elsewhere they begin at the top. */
const HEADINGS = new Map([["h3", "h1"], ["h4", "h2"], ["h5", "h3"], ["h6", "h4"]]); // prettier-ignore
const KEPT = new Set([
  "p", "blockquote", "ul", "ol", "li", "strong", "em", "del", "code", "kbd", "sub", "sup", "table", "thead", "tbody", "tr", "th", "td",
]); // prettier-ignore
const EMPTY = new Set(["hr"]);
const LEFT_OUT = new Set(["button", "svg", "script", "style"]);
const LINK = /^(?:https?|mailto|tel):/i;
const ALIGNED = /\bto-(right|center)\b/;
/** A spreadsheet computes what begins like this, and may send the result elsewhere. */
const COMPUTED = /^[=@+\-＝＠＋－]/;
/** Of other text, a spreadsheet makes a cell of each line; most that begins with another sign is prose. */
const FORMULA = /^[=＝]/;
const LINES = new Set(["p", "li"]);
const NUMBER = /^[-+][\d.,\s]*%?$/;

/** @typedef {(element: Element) => string} SourceOf the source of code or of a formula */

/** @param {Node} node @param {SourceOf} sourceOf @returns {string} */
export function richText(node, sourceOf) {
  if (node.nodeType === 3) return escaped(/** @type {Text} */ (node).data);
  if (node.nodeType !== 1) return inside(node, sourceOf);
  const element = /** @type {Element} */ (node);
  const { localName } = element;
  const name = HEADINGS.get(localName) ?? localName;
  const classes = ` ${element.getAttribute("class") ?? ""} `;
  if (LEFT_OUT.has(name)) return classes.includes(" footnote-reference ") ? `<sup>${inside(node, sourceOf)}</sup>` : "";
  if (name === "br") return lineBreak(element);
  if (EMPTY.has(name)) return `<${name}>`;
  if (name === "input") return element.hasAttribute("checked") ? "☑ " : "☐ ";
  if (classes.includes(" code-block ")) return `<pre><code>${escaped(sourceOf(element))}</code></pre>`;
  if (classes.includes(" maths ")) {
    const sign = classes.includes(" display ") ? "$$" : "$";
    return sign + escaped(sourceOf(element)) + sign;
  }
  if (name === "summary") return `<p><strong>${inside(node, sourceOf)}</strong></p>`;
  if (name === "a") return link(element, inside(node, sourceOf));
  if (!KEPT.has(name) && !HEADINGS.has(localName)) return inside(node, sourceOf);
  const text = (element.textContent ?? "").trim();
  const isMarked = name === "td" || name === "th" ? isComputed(text) : LINES.has(name) && FORMULA.test(text);
  const mark = isMarked ? "'" : "";
  return `<${name}${attributes(element, name, classes)}>${mark}${inside(node, sourceOf)}</${name}>`;
}

/**
 * Return a table as a spreadsheet reads it.
 * @param {Element} table
 */
export function tabSeparated(table) {
  const rows = [...table.querySelectorAll("tr")];
  return rows.map((row) => [...row.children].map((cell) => cellText(cell.textContent ?? "")).join("\t")).join("\n");
}

/** @param {string} text */
export function cellText(text) {
  const line = text.replace(/\s+/g, " ").trim();
  return isComputed(line) ? `'${line}` : line;
}

/** @param {string} text */
function isComputed(text) {
  return COMPUTED.test(text) && !NUMBER.test(text);
}

/** @param {Node} node @param {SourceOf} sourceOf */
function inside(node, sourceOf) {
  return Array.from(node.childNodes, (child) => richText(child, sourceOf)).join("");
}

/** A spreadsheet begins another cell at a line break. @param {Element} element */
function lineBreak(element) {
  if (element.closest("td, th")) return " ";
  return FORMULA.test((element.nextSibling?.textContent ?? "").trim()) ? "<br>'" : "<br>";
}

/** @param {Element} element @param {string} content */
function link(element, content) {
  const address = element.getAttribute("href") ?? "";
  return LINK.test(address) ? `<a href="${escaped(address)}">${content}</a>` : content;
}

/** @param {Element} element @param {string} name @param {string} classes */
function attributes(element, name, classes) {
  const start = name === "ol" ? Number(element.getAttribute("start") ?? 1) : 1;
  const side = name === "th" || name === "td" ? ALIGNED.exec(classes)?.[1] : undefined;
  return (start === 1 ? "" : ` start="${start}"`) + (side ? ` align="${side}"` : "");
}

/** @param {string} text */
function escaped(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
