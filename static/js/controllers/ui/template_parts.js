/**
 * Clone the `<template>` with that ID, and return its named parts (`data-part`).
 * @param {string} id
 */
export function cloneTemplate(id) {
  const template = /** @type {HTMLTemplateElement} */ (document.getElementById(id));
  const fragment = document.importNode(template.content, true);
  const root = /** @type {HTMLElement} */ (fragment.firstElementChild);
  return { root, parts: partsIn(root) };
}

/**
 * @param {HTMLElement} root
 * @returns {Record<string, HTMLElement>}
 */
export function partsIn(root) {
  const named = /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("[data-part]"));
  return Object.fromEntries(Array.from(named, (part) => [part.dataset.part, part]));
}

/**
 * Show `words` in `element`, or hide it if they are empty. Writes only changes.
 * @param {HTMLElement} element
 * @param {string} words
 */
export function showText(element, words) {
  if (element.textContent !== words) element.textContent = words;
  if (element.hidden === Boolean(words)) element.hidden = !words;
}
