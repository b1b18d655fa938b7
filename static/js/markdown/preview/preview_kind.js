/** Which code can be shown as what it describes. Pure. */

/** @typedef {"page" | "image" | "diagram"} PreviewKind */

/** @type {Map<string, PreviewKind>} by the language as written */
const KINDS = new Map([["html", "page"], ["htm", "page"], ["xhtml", "page"], ["svg", "image"], ["mermaid", "diagram"], ["mmd", "diagram"]]); // prettier-ignore
const DECLARATION = "<?xml";
const IMAGE = /^<svg[\s>]/i;

/**
 * @param {string} language as written
 * @param {string} source
 * @returns {PreviewKind | undefined}
 */
export function previewKind(language, source) {
  if (language !== "xml") return KINDS.get(language);
  const text = source.trimStart();
  const start = text.startsWith(DECLARATION) ? text.indexOf("?>") + 2 : 0;
  return IMAGE.test(text.slice(start).trimStart()) ? "image" : undefined;
}
