/** The collections of documents that a chat's answers are based on: checkboxes in a menu of the composer. */

/** Show the names of what is chosen on the menu's button. @param {AbortSignal} [signal] */
export function wireCollections(signal) {
  const picker = document.querySelector(".collection-picker");
  const names = picker?.querySelector('[data-part="names"]');
  const show = () => {
    if (names) names.textContent = boxes(picker, ":checked").map(({ parentElement }) => nameIn(parentElement)).join(", ");
  };
  picker?.addEventListener("change", show, { signal });
  show();
}

/** Return what a request says about them; nothing where there is no choice. */
export function chosenCollections() {
  const picker = document.querySelector(".collection-picker");
  return picker ? { collections: boxes(picker, ":checked:enabled").map(({ value }) => value) } : {};
}

/**
 * @param {Element | null} picker
 * @param {string} state
 * @returns {HTMLInputElement[]}
 */
function boxes(picker, state) {
  return [...(picker?.querySelectorAll(`input[name="collections"]${state}`) ?? [])].map((box) => /** @type {HTMLInputElement} */ (box));
}

/** @param {Element | null} label */
function nameIn(label) {
  return label?.querySelector("bdi")?.textContent ?? "";
}
