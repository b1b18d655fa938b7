/**
 * Update the page from one state of the nodes to the next. Elements are created by name from a fixed list, and strings
 * become text nodes, never HTML. Unchanged nodes are not touched, and growing text is appended, so selections and
 * find-in-page survive.
 *
 * Page translation and extensions put other nodes in the place of ours. Where one of these has to change, what follows
 * it in its element is created again, so that no text is lost or shown twice.
 *
 * @typedef {import("./nodes.js").Node} Node
 * @typedef {import("./nodes.js").ElementNode} ElementNode
 */

/**
 * @param {Element | DocumentFragment} parent whose last children are those of `old`
 * @param {Node[]} old
 * @param {Node[]} next
 * @param {Element} [before] the child before those
 */
export function patch(parent, old, next, before) {
  if (old.some((node, i) => node !== next[i] && !isOurs(node, parent))) old = intact(parent, old, before);
  for (let i = 0; i < next.length; i++) {
    if (i >= old.length) parent.append(made(next[i]));
    else if (old[i] !== next[i]) replaceNode(old[i], next[i]);
  }
  for (let i = next.length; i < old.length; i++) old[i].dom?.remove();
}

/** @param {Node} node @param {Element | DocumentFragment} parent */
function isOurs(node, parent) {
  return node.dom?.parentNode === parent && (!("text" in node) || node.dom.data === node.text);
}

/**
 * Remove the nodes from the first one on that isn't ours any more; return those before it.
 * @param {Element | DocumentFragment} parent
 * @param {Node[]} old
 * @param {Element} [before]
 */
function intact(parent, old, before) {
  const count = old.findIndex((node) => !isOurs(node, parent));
  const last = count ? old[count - 1].dom : before;
  if (last && last.parentNode !== parent) for (const node of old) node.dom?.remove();
  else while (parent.lastChild && parent.lastChild !== last) parent.lastChild.remove();
  return old.slice(0, count);
}

/**
 * @param {Node} old
 * @param {Node} next replaces it
 */
export function replaceNode(old, next) {
  if ("text" in old && "text" in next) writeOn(old, next);
  else if ("tag" in old && "tag" in next && old.tag === next.tag && old.dom) {
    next.dom = old.dom;
    setAttributes(old.dom, old.attributes, next.attributes);
    patch(old.dom, old.children, next.children);
  } else old.dom?.replaceWith(made(next));
}

/**
 * @param {import("./nodes.js").TextNode} old
 * @param {import("./nodes.js").TextNode} next
 */
function writeOn(old, next) {
  const { dom } = old;
  next.dom = dom;
  if (!dom || old.text === next.text) return;
  if (next.text.startsWith(old.text)) dom.appendData(next.text.slice(old.text.length));
  else dom.data = next.text;
}

/** @param {Node} node */
function made(node) {
  if ("text" in node) return (node.dom = document.createTextNode(node.text));
  node.dom = document.createElement(node.tag);
  setAttributes(node.dom, {}, node.attributes);
  node.dom.append(...node.children.map(made));
  return node.dom;
}

/**
 * @param {Element} element
 * @param {Record<string, string>} old
 * @param {Record<string, string>} next
 */
function setAttributes(element, old, next) {
  for (const name in next) if (old[name] !== next[name]) element.setAttribute(name, next[name]);
  for (const name in old) if (!(name in next)) element.removeAttribute(name);
}
