/** The page that a link leads to: what is there as text gets its form as it comes near the window. */

import { Nearby } from "./elements/nearby.js";
import { Words, prepareToRead } from "./elements/words.js";

const hint = /** @type {HTMLElement} */ (document.getElementById("hint"));
const status = /** @type {any} */ ({ hint: (/** @type {string} */ words) => (hint.textContent = words) });
const nearby = new Nearby();

await prepareToRead();
for (const words of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('[data-part="words"]'))) {
  nearby.when(words, () => new Words(words, status).show(words.textContent ?? "", true));
}
