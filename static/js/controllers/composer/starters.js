/**
 * Wire the conversation starters of an empty page.
 * @param {HTMLElement} page
 * @param {(prompt: string) => void} send
 */
export function wireStarters(page, send) {
  page.addEventListener("click", ({ target }) => {
    const starter = /** @type {HTMLElement | null} */ (target instanceof Element ? target.closest(".starter") : null);
    if (starter) send(starter.dataset.prompt ?? "");
  });
}
