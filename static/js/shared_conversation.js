/** Entry point of a shared chat and of the page to print: format its text as it comes near the window. */

import { AnswerMarkdown, prepareToRead } from "./controllers/transcript/answer_markdown.js";
import { wireImages } from "./controllers/transcript/image_opener.js";
import { LazyRender } from "./controllers/transcript/lazy_render.js";

const hint = /** @type {HTMLElement} */ (document.getElementById("hint"));
const status = { hint: (/** @type {string} */ words) => void (hint.textContent = words) };
const lazyRender = new LazyRender();

wireImages();
document.getElementById("print")?.addEventListener("click", () => print());
await prepareToRead();
for (const words of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('[data-part="text"]'))) {
  lazyRender.when(words, () => new AnswerMarkdown(words, status).show(words.textContent ?? "", true));
}
