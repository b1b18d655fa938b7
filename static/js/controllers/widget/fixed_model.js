/** The site's own model, which nobody chooses here: it has the name of the site. */

export class FixedModel {
  chosen = "";
  #site;

  /** @param {string} site */
  constructor(site) {
    this.#site = site;
  }

  nameOf() {
    return this.#site;
  }

  optionsFor() {
    return {};
  }

  /** @returns {undefined} nobody here can have it think more or less */
  abilitiesOf() {
    return undefined;
  }
}
