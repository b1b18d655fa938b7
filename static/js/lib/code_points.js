/** How long a text is as the server counts, which is not in halves of surrogate pairs. @param {string} text */
export function countCodePoints(text) {
  let count = 0;
  for (const _ of text) count++;
  return count;
}
