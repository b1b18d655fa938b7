/**
 * The consent that a site requires of its visitors. Until they agree, there is no message box, so nothing can be sent.
 */
export class Consent {
  #box;
  #gate;
  #changed;

  /**
   * @param {HTMLElement | null} box with the text and a button; null if no consent is required
   * @param {import("./gate.js").Gate} gate in front of what is shown after consent
   * @param {{agree: () => Promise<unknown>, agreed: () => void, changed: (isAgreed: boolean) => void, failed: (error: Error) => void}} actions
   */
  constructor(box, gate, { agree, agreed, changed, failed }) {
    this.#box = box;
    this.#gate = gate;
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
    this.#gate.set("consent", !isAgreed);
    this.#changed(isAgreed);
  }
}
