import { isComposing } from "./ime.js";
import { isTouch } from "./touch.js";

/**
 * Return whether a key sends the text: Enter, except on touch screens, where it starts a new line. With Ctrl or ⌘ it
 * always sends.
 * @param {KeyboardEvent} event
 * @param {boolean} [sendsOnEnter] whether Enter sends without Ctrl or ⌘
 */
export function isSendKey(event, sendsOnEnter = true) {
  if (event.key !== "Enter" || isComposing(event) || event.shiftKey || event.altKey) return false;
  return event.ctrlKey || event.metaKey || (sendsOnEnter && !isTouch());
}
