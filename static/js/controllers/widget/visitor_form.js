/** Asks a visitor before the first message what the site's owner wants to know. */

const SKIPPED = "form-skipped";

export class VisitorForm {
  #form;
  #gate;
  #storage;

  /**
   * @param {HTMLFormElement | null} form null if the site asks nothing
   * @param {import("./gate.js").Gate} gate in front of the message box
   * @param {import("../../browser/safe_storage.js").SafeStorage} storage remembers in this tab that they skipped it
   * @param {{give: (details: import("../../api/widget_session.js").VisitorDetails) => Promise<unknown>, done: () => void}} actions
   */
  constructor(form, gate, storage, { give, done }) {
    this.#form = form;
    this.#gate = gate;
    this.#storage = storage;
    if (!form) return;
    const status = /** @type {HTMLElement} */ (form.querySelector("[role=status]"));
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const fields = new FormData(form);
      const [name, email, choice] = ["name", "email", "choice"].map((each) => String(fields.get(each) ?? "").trim());
      try {
        await give({ name, email, choice });
        if (!name && !email && !choice) this.#skip();
        else this.show(false);
        done();
      } catch (error) {
        status.textContent = /** @type {Error} */ (error).message;
      }
    });
    form.querySelector("[data-skip]")?.addEventListener("click", () => {
      this.#skip();
      done();
    });
  }

  /** @param {boolean} isWanted whether this visitor hasn't answered yet */
  show(isWanted) {
    if (!this.#form) return;
    const isRequired = this.#form.dataset.required !== undefined;
    const isShown = isWanted && (isRequired || !this.#storage.read(SKIPPED));
    this.#form.hidden = !isShown;
    this.#gate.set("form", isShown);
  }

  #skip() {
    this.#storage.write(SKIPPED, "1");
    this.show(false);
  }
}
