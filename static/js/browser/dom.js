/** Return elements that must exist and have the expected type; anything else is a bug and throws. */

/**
 * @template {Element} T
 * @param {ParentNode} root
 * @param {string} selector
 * @param {new () => T} kind
 * @returns {T}
 */
export function findElement(root, selector, kind) {
  const found = root.querySelector(selector);
  if (found instanceof kind) return found;
  throw new TypeError(`No ${kind.name} at ${selector}`);
}

/**
 * Return the elements of type `kind` that match `selector`, in document order.
 * @template {Element} T
 * @param {ParentNode} root
 * @param {string} selector
 * @param {new () => T} kind
 * @returns {T[]}
 */
export function findElements(root, selector, kind) {
  return [...root.querySelectorAll(selector)].flatMap((each) => (each instanceof kind ? [each] : []));
}

/** Return the JSON in the first data script. @param {ParentNode} root */
export function readJson(root) {
  return JSON.parse(findElement(root, "script[type='application/json']", HTMLScriptElement).text);
}

/**
 * @template {Element} T
 * @param {string} id
 * @param {new () => T} kind
 * @returns {T}
 */
export function elementById(id, kind) {
  return findElement(document, `#${id}`, kind);
}
