/** The projects and tags to drop a chat on. They appear while one is dragged; each is a button that names itself. */

export class DropTargets {
  #panel;
  #name;
  #over = "";

  /**
   * @param {(id: string) => void} name puts the dragged chats into the form
   * @param {() => void} ended
   */
  constructor(name, ended) {
    this.#name = name;
    this.#panel = /** @type {HTMLElement} */ (document.getElementById("drop-targets"));
    this.#panel.addEventListener("dragover", (event) => this.#dragged(event));
    this.#panel.addEventListener("dragleave", ({ relatedTarget }) => {
      if (!this.#panel.contains(/** @type {Node | null} */ (relatedTarget))) this.#mark(null);
    });
    this.#panel.addEventListener("drop", (event) => this.#dropped(event));
    document.addEventListener("dragend", () => {
      this.#panel.hidden = true;
      ended();
    });
  }

  /** @param {string} id of the dragged chat */
  show(id) {
    this.#over = id;
    this.#panel.hidden = false;
    this.#panel.dispatchEvent(new Event("asked"));
  }

  /** @param {DragEvent} event */
  #dragged(event) {
    const target = targetOf(event);
    this.#mark(target);
    if (!target) return;
    event.preventDefault(); // allows to drop here
    if (event.dataTransfer) event.dataTransfer.dropEffect = "link";
  }

  /** @param {DragEvent} event */
  #dropped(event) {
    const target = targetOf(event);
    if (!target || !this.#over) return;
    event.preventDefault();
    this.#name(this.#over);
    target.click();
  }

  /** @param {Element | null} target */
  #mark(target) {
    for (const each of this.#panel.querySelectorAll(".target")) each.toggleAttribute("data-over", each === target);
  }
}

/** @param {DragEvent} event */
function targetOf(event) {
  return /** @type {HTMLButtonElement | null} */ (/** @type {Element} */ (event.target).closest(".target"));
}
