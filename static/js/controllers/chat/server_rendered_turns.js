/**
 * Read the turns that the server rendered. The text is in the elements, so it is readable without scripts; everything
 * else is in `data-turn`.
 * @param {HTMLElement} thread
 * @returns {import("../../api/conversations.js").StoredMessage[]}
 */
export function readTurns(thread) {
  const articles = /** @type {NodeListOf<HTMLElement>} */ (thread.querySelectorAll("[data-turn]"));
  return Array.from(articles, (article) => ({
    ...JSON.parse(article.dataset.turn ?? ""),
    text: textsOf(article.querySelectorAll('[data-part="text"], [data-file]')),
    reasoning: article.querySelector('[data-part="reasoningText"]')?.textContent ?? "",
    summary: article.querySelector('[data-part="summaryText"]')?.textContent ?? "",
  }));
}

/** @param {NodeListOf<Element>} parts a text, and the files attached to it */
function textsOf(parts) {
  return Array.from(parts, ({ textContent }) => textContent).join("");
}
