/** The version switcher (‹ 2/3 ›) of a question or answer. */

import { t } from "../../lib/i18n.js";

/** @typedef {{versions?: HTMLElement, place?: HTMLElement, placeInWords?: HTMLElement, previous?: HTMLElement, next?: HTMLElement}} VersionParts */

/**
 * @param {VersionParts} parts of a turn
 * @param {(id: number) => void} choose
 * @returns {VersionSwitcher | null} null if the template has none
 */
export function findSwitcher(parts, choose) {
  return parts.versions ? new VersionSwitcher(/** @type {Required<VersionParts>} */ (parts), choose) : null;
}

class VersionSwitcher {
  #parts;
  /** @type {number[]} */
  #ids = [];
  #id = 0;

  /**
   * @param {Required<VersionParts>} parts
   * @param {(id: number) => void} choose
   */
  constructor(parts, choose) {
    this.#parts = parts;
    parts.previous.addEventListener("click", () => this.#step(-1, choose));
    parts.next.addEventListener("click", () => this.#step(1, choose));
  }

  /** @param {number[]} ids oldest first @param {number} id the version that is shown */
  show(ids = [], id = 0) {
    const number = ids.indexOf(id) + 1;
    this.#ids = ids;
    this.#id = id;
    const { versions, place, placeInWords, previous, next } = this.#parts;
    versions.hidden = ids.length < 2 || !number;
    if (versions.hidden) return;
    place.textContent = `${number}/${ids.length}`;
    placeInWords.textContent = describeVersion(ids, id);
    previous.ariaDisabled = String(number === 1); // unlike `disabled`, this keeps the focus
    next.ariaDisabled = String(number === ids.length);
  }

  /** @param {number} step @param {(id: number) => void} choose */
  #step(step, choose) {
    const id = this.#ids[this.#ids.indexOf(this.#id) + step];
    if (id) choose(id);
  }
}

/** @param {number[]} ids @param {number} id */
export function describeVersion(ids, id) {
  return t("Version {number} of {count}", { number: ids.indexOf(id) + 1, count: ids.length });
}
