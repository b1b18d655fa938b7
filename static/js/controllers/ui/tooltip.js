/**
 * Show the name of an icon button, and its shortcut, while the mouse rests on it or the keyboard is on it; and all tags
 * of a chat in the list. Screen readers read the label instead. One element for the page, above everything else.
 */

const BUTTONS = ".icon-button[aria-label], .send-button[aria-label], .chat-head-rename, .entry-tags";
const REST_MS = 500; // of the mouse; the next button shows its own at once
const COOL_MS = 300;
const GAP_PX = 6;
const EDGE_PX = 8;

/** @param {(button: HTMLElement) => Node | null} [keysOf] returns the keys that do the same as a button */
export function wireTooltips(keysOf = () => null) {
  const tooltip = document.createElement("div");
  tooltip.className = "tooltip";
  tooltip.popover = "manual";
  tooltip.setAttribute("aria-hidden", "true");
  document.body.append(tooltip);
  /** @type {HTMLElement | null} */
  let shown = null;
  let top = 0; // of the button
  let hiddenAt = -Infinity;
  let pressed = -1; // where the pointer was pressed last, from the left: elsewhere it has moved
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;

  document.addEventListener("pointerover", ({ target, pointerType, x }) => {
    const button = buttonAt(target);
    if (button === shown || pointerType === "touch" || pressed === x) return; // it became another one by the press
    hide();
    if (!button) return;
    const wait = performance.now() - hiddenAt < COOL_MS ? 0 : REST_MS;
    timer = setTimeout(() => show(button), wait);
  });
  document.addEventListener("focusin", ({ target }) => {
    hide();
    const button = buttonAt(target);
    if (button?.matches(":focus-visible")) timer = setTimeout(() => show(button)); // a menu may be opening just now
  });
  document.addEventListener("pointerdown", ({ x }) => (pressed = x));
  for (const name of ["pointerdown", "keydown", "focusout"]) document.addEventListener(name, hide, { capture: true });
  // The focus itself, or an answer that grows, may scroll the page under a button that stays.
  addEventListener("scroll", () => (shown?.getBoundingClientRect().top ?? top) !== top && hide(), { capture: true, passive: true });

  function hide() {
    clearTimeout(timer);
    if (!shown) return;
    shown = null;
    hiddenAt = performance.now();
    tooltip.hidePopover();
  }

  /** @param {HTMLElement} button */
  function show(button) {
    if (!button.isConnected || button.matches('[aria-expanded="true"]')) return;
    const keys = keysOf(button);
    tooltip.replaceChildren(button.ariaLabel ?? "", ...(keys ? [keys] : []));
    shown = button;
    tooltip.showPopover();
    const at = button.getBoundingClientRect();
    top = at.top;
    place(tooltip, at);
  }
}

/** @param {EventTarget | null} target */
function buttonAt(target) {
  return /** @type {HTMLElement | null} */ (target instanceof Element ? target.closest(BUTTONS) : null);
}

/** Put it below the button, or above it where there is no room. @param {HTMLElement} tooltip @param {DOMRect} at */
function place(tooltip, at) {
  const { width, height } = tooltip.getBoundingClientRect();
  const { clientWidth, clientHeight } = document.documentElement;
  const left = Math.min(Math.max(EDGE_PX, at.left + (at.width - width) / 2), clientWidth - width - EDGE_PX);
  const below = at.bottom + GAP_PX;
  const top = below + height > clientHeight - EDGE_PX ? at.top - GAP_PX - height : below;
  tooltip.style.translate = `${Math.round(left)}px ${Math.round(top)}px`;
}
