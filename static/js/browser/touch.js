/** A finger and a keyboard on the screen, where Enter can only mean a new line. */
export function isTouch() {
  return matchMedia("(pointer: coarse) and (hover: none)").matches;
}
