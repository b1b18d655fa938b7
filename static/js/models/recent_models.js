/** The models that a member used last. */

const MAX = 3;

/**
 * Return the ids once a message has gone to a model, the latest first.
 * @param {string | undefined} recent ids with spaces between them
 * @param {string} id
 */
export function recentWith(recent, id) {
  return [id, ...idsIn(recent).filter((each) => each !== id)].slice(0, MAX).join(" ");
}

/** @param {string | null | undefined} text ids with spaces between them */
export function idsIn(text) {
  return (text ?? "").split(" ").filter(Boolean);
}
