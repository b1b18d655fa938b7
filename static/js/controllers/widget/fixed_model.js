/** The site's own model, which visitors cannot change; it is shown under the site's name. */

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

  /** @returns {undefined} visitors can't change the reasoning effort */
  abilitiesOf() {
    return undefined;
  }
}
