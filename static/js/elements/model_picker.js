/** The models on offer, in a native select. */
export class ModelPicker {
  #select;

  /** @param {HTMLSelectElement} select */
  constructor(select) {
    this.#select = select;
  }

  get chosen() {
    return this.#select.value;
  }

  /** @param {string} id one that is not on offer (any more) changes nothing */
  choose(id) {
    if (this.#option(id)) this.#select.value = id;
  }

  /** @param {string} id */
  nameOf(id) {
    return this.#option(id)?.text ?? id.slice(id.lastIndexOf("/") + 1);
  }

  /** @param {string} id */
  #option(id) {
    return Array.from(this.#select.options).find((option) => option.value === id);
  }
}
