/**
 * Number the lines of a block of code. An empty element marks the start of each line; the style sheet writes its number
 * there, so numbers are neither selected nor copied.
 */

const MAX_LINES = 10_000;

/** @param {Element} block */
export function numberLines(block) {
  const code = block.querySelector("code");
  if (!code || code.querySelector(".line-start")) return;
  const walker = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
  /** @type {Text[]} */
  const texts = [];
  while (walker.nextNode()) texts.push(/** @type {Text} */ (walker.currentNode));
  let lines = 1;
  code.prepend(lineStart());
  for (const [i, text] of texts.entries()) {
    const pieces = text.data.split(/(?<=\n)/);
    const isLast = i === texts.length - 1;
    const parts = pieces.flatMap((piece, at) => {
      const endsLine = piece.endsWith("\n") && !(isLast && at === pieces.length - 1) && lines++ < MAX_LINES;
      return endsLine ? [piece, lineStart()] : [piece];
    });
    if (parts.length > 1) text.replaceWith(...parts);
  }
}

function lineStart() {
  const mark = document.createElement("span");
  mark.className = "line-start";
  return mark;
}
