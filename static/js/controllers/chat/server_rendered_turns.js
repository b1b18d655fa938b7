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
    text: article.querySelector('[data-part="text"]')?.textContent ?? "",
    reasoning: article.querySelector('[data-part="reasoningText"]')?.textContent ?? "",
  }));
}
