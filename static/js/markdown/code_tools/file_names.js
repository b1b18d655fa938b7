/** Names of files for code, by its language. Pure. */

/** @type {Record<string, string>} the ending for each grammar whose name is not its ending */
const ENDINGS = {
  bash: "sh", csharp: "cs", elixir: "ex", graphql: "graphql", haskell: "hs", javascript: "js", julia: "jl", kotlin: "kt",
  latex: "tex", markdown: "md", nginx: "conf", perl: "pl", powershell: "ps1", python: "py", ruby: "rb", rust: "rs",
  typescript: "ts", csv: "csv", tsv: "tsv", mermaid: "mmd", mmd: "mmd",
}; // prettier-ignore
const WHOLE_NAMES = new Map([["dockerfile", "Dockerfile"], ["makefile", "Makefile"]]); // prettier-ignore
/** Names in fences that are endings themselves, where one grammar serves several. */
const OWN_ENDINGS = new Set(["html", "svg", "vue", "xhtml", "jsx", "tsx", "toml", "sass", "less", "h", "hpp", "mjs", "cjs", "json5"]);

/**
 * @param {string} language as written
 * @param {string} grammar the file that highlights it; "" if there is none
 */
export function fileName(language, grammar) {
  const whole = WHOLE_NAMES.get(grammar);
  if (whole) return whole;
  const ending = OWN_ENDINGS.has(language) ? language : (ENDINGS[grammar || language] ?? (grammar || "txt"));
  return `code.${ending}`;
}
