/** Whether the device has a touch keyboard, where Enter always inserts a new line. */
export function isTouch() {
  return matchMedia("(pointer: coarse) and (hover: none)").matches;
}
