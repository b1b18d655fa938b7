/**
 * The level of a heading in an answer. Models start with any number of `#` and skip levels; a page must not, and the
 * answer itself has a heading of level 2. So each heading is one level below its parent.
 */

const LEVEL_OF_THE_ANSWER = 2;
const LOWEST = 6;

export class HeadingLevels {
  /** @type {number[]} the depths of the headings that the next one stands under */
  #depths;

  /** @param {number[]} [depths] */
  constructor(depths = []) {
    this.#depths = depths;
  }

  /**
   * @param {number} depth as written: the number of `#`
   * @returns {number} the level
   */
  enter(depth) {
    while ((this.#depths.at(-1) ?? 0) >= depth) this.#depths.pop();
    this.#depths.push(depth);
    return Math.min(LEVEL_OF_THE_ANSWER + this.#depths.length, LOWEST);
  }

  copy() {
    return new HeadingLevels([...this.#depths]);
  }
}
