/** The persona for new chats on this page, and the name of the current chat's persona in the header. */
export class PersonaLabel {
  /** @type {{id: string, name: string} | null} */
  chosen;
  #label;

  /**
   * @param {HTMLElement} label
   * @param {string} [id]
   */
  constructor(label, id) {
    this.#label = label;
    const name = label.querySelector("bdi")?.textContent ?? "";
    this.chosen = id ? { id, name } : null;
  }

  /** @param {{name: string} | null} persona */
  show(persona) {
    const place = this.#label.querySelector("bdi");
    if (place) place.textContent = persona?.name ?? "";
    this.#label.hidden = !persona;
  }
}
