/**
 * Whether a key event belongs to an input method, which uses Enter to choose a word; some browsers report keyCode 229.
 * @param {KeyboardEvent} event
 */
export function isComposing(event) {
  return event.isComposing || event.keyCode === 229;
}
