/**
 * Whether a key belongs to an input method, which uses Enter to choose a word; 229 is how some browsers
 * say so.
 * @param {KeyboardEvent} event
 */
export function isComposing(event) {
  return event.isComposing || event.keyCode === 229;
}
