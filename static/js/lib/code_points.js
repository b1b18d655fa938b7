/** Return the length in code points, as the server counts it, not in UTF-16 units. @param {string} text */
export function countCodePoints(text) {
  let count = 0;
  for (const _ of text) count++;
  return count;
}
