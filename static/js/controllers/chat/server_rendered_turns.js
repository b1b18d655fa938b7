/**
 * The turns that the server wrote into the page, which anybody can read there without scripts. Their words are
 * the text itself, the rest is in `data-turn`.
 * @param {HTMLElement} thread
 * @returns {import("../../api/conversations.js").StoredMessage[]}
 */
export function turnsIn(thread) {
  const articles = /** @type {NodeListOf<HTMLElement>} */ (thread.querySelectorAll("[data-turn]"));
  return Array.from(articles, (article) => ({
    ...JSON.parse(article.dataset.turn ?? ""),
    text: article.querySelector('[data-part="words"]')?.textContent ?? "",
    reasoning: article.querySelector('[data-part="reasoningWords"]')?.textContent ?? "",
  }));
}
