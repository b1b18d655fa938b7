/**
 * The sidebar: a column that can be collapsed or, on narrow screens, a drawer. The drawer is a popover, which works
 * without scripts; this makes the page behind it inert.
 */

const WIDE = "(width >= 60rem)";
const FOLDED = "sidebar-folded";
/** What an open drawer covers: all but the page's heading, which screen readers still need. */
const COVERED = "#main > :not(h1)";

/**
 * @param {HTMLElement} sidebar
 * @param {HTMLElement} fold the button that collapses the sidebar on wide screens
 * @param {import("../../browser/safe_storage.js").SafeStorage} deviceStorage
 * @returns {() => void} shows or hides the sidebar
 */
export function wireSidebarDrawer(sidebar, fold, deviceStorage) {
  const setFolded = (/** @type {boolean} */ isFolded) => {
    document.body.toggleAttribute("data-folded", isFolded);
    fold.ariaExpanded = String(!isFolded);
    deviceStorage.write(FOLDED, isFolded ? "yes" : null);
  };
  setFolded(deviceStorage.read(FOLDED) === "yes");
  fold.hidden = false;
  fold.addEventListener("click", () => setFolded(!document.body.hasAttribute("data-folded")));

  sidebar.addEventListener("toggle", (event) => {
    const isOpen = /** @type {ToggleEvent} */ (event).newState === "open";
    const covered = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(COVERED));
    for (const part of covered) part.inert = isOpen;
    if (isOpen) sidebar.querySelector("a")?.focus();
  });
  matchMedia(WIDE).addEventListener("change", () => {
    if (sidebar.matches(":popover-open")) sidebar.hidePopover();
  });
  return () => (matchMedia(WIDE).matches ? fold.click() : sidebar.togglePopover());
}
