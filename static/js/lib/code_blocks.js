const FENCED = /^([ \t]*)(`{3,}(?!`)|~{3,}(?!~))[^\n]*\n([\s\S]*?)(?:^[ \t]*\2[`~]*[ \t]*$|$(?![\s\S]))/gm;

/**
 * Return the last code block in Markdown, without its fences and indentation; "" if there is none.
 * @param {string} markdown
 */
export function lastCodeBlock(markdown) {
  const last = [...markdown.matchAll(FENCED)].at(-1);
  if (!last) return "";
  const [, indentation, , code] = last;
  return code.replace(/\n$/, "").split("\n").map((line) => withoutStart(line, indentation)).join("\n");
}

/** @param {string} line @param {string} start */
function withoutStart(line, start) {
  return line.startsWith(start) ? line.slice(start.length) : line;
}
