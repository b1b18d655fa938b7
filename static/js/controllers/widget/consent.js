/**
 * The consent that a site requires of its visitors. Until they agree, there is no message box, so nothing can be sent.
 */
export class Consent {
  #box;
  #gated;
  #changed;

  /**
   * @param {HTMLElement | null} box with the text and a button; null if no consent is required
   * @param {HTMLElement[]} gated elements shown after consent
   * @param {{agree: () => Promise<unknown>, agreed: () => void, changed: (isAgreed: boolean) => void, failed: (error: Error) => void}} actions
   */
  constructor(box, gated, { agree, agreed, changed, failed }) {
    this.#box = box;
    this.#gated = gated;
    this.#changed = changed;
    box?.querySelector("button")?.addEventListener("click", async () => {
      try {
        await agree();
        this.show(true);
        agreed();
      } catch (error) {
        failed(/** @type {Error} */ (error));
      }
    });
  }

  /** @param {boolean} isAgreed */
  show(isAgreed) {
    if (!this.#box) return;
    this.#box.hidden = isAgreed;
    for (const each of this.#gated) each.hidden = !isAgreed;
    this.#changed(isAgreed);
  }
}
