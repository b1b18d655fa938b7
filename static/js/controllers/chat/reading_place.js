/**
 * Where the reader is in a chat. The browser's history keeps it for each of its entries, so that Back, Forward and a
 * reload show that part again. Distances from the page's top would be wrong: what is formatted or loaded later changes
 * them.
 */

/** @typedef {{question: number, top: number}} Place the top of a stored question's exchange, from the window's top */

/**
 * @param {import("./chat_controller.js").ChatController} chat
 * @returns {Place | null} null at the end of the chat
 */
export function readingPlace({ exchanges, transcript, jump }) {
  const topOf = (/** @type {import("./chat_store.js").Exchange} */ exchange) => transcript.rootOf(exchange)?.getBoundingClientRect().top ?? Infinity;
  const last = exchanges.findLast((each) => each.questionId && topOf(each) < innerHeight);
  return last?.questionId && !jump.isNearEnd ? { question: last.questionId, top: topOf(last) } : null;
}

/** @param {import("./chat_controller.js").ChatController} chat @param {Place} place */
export function returnTo(chat, { question, top }) {
  const find = () => {
    const exchange = chat.exchanges.findLast(({ questionId = Infinity }) => questionId <= question); // it may be deleted
    return exchange && chat.transcript.rootOf(exchange);
  };
  chat.jump.hold(find, top);
}
