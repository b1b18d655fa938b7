/** The languages that can be highlighted; each is a file, loaded on first use. Pure. */

import { t } from "../lib/i18n.js";

/** @type {Record<string, [name: string, ...aliases: string[]]>} for each file, the display name and other names in fences */
const LANGUAGES = {
  bash: ["Shell", "sh", "shell", "zsh", "console", "terminal", "shellsession"],
  c: ["C", "h"],
  cpp: ["C++", "c++", "cc", "hpp", "cxx"],
  csharp: ["C#", "cs", "c#"],
  css: ["CSS"],
  dart: ["Dart"],
  diff: ["Diff", "patch"],
  dockerfile: ["Dockerfile", "docker"],
  elixir: ["Elixir", "ex", "exs"],
  go: ["Go", "golang"],
  graphql: ["GraphQL", "gql"],
  haskell: ["Haskell", "hs"],
  ini: ["INI", "toml", "conf", "cfg"],
  java: ["Java"],
  javascript: ["JavaScript", "js", "jsx", "mjs", "cjs", "node"],
  json: ["JSON", "json5", "jsonc"],
  julia: ["Julia", "jl"],
  kotlin: ["Kotlin", "kt"],
  latex: ["LaTeX", "tex"],
  lua: ["Lua"],
  makefile: ["Makefile", "make", "mk"],
  markdown: ["Markdown", "md"],
  nginx: ["nginx"],
  perl: ["Perl", "pl"],
  php: ["PHP"],
  powershell: ["PowerShell", "ps1", "pwsh", "ps"],
  python: ["Python", "py", "python3", "ipython"],
  r: ["R"],
  ruby: ["Ruby", "rb"],
  rust: ["Rust", "rs"],
  scala: ["Scala"],
  scss: ["SCSS", "sass", "less"],
  sql: ["SQL", "postgresql", "postgres", "mysql", "sqlite", "psql"],
  swift: ["Swift"],
  typescript: ["TypeScript", "ts", "tsx"],
  xml: ["XML", "html", "svg", "xhtml", "vue", "htm"],
  yaml: ["YAML", "yml"],
};
/** Aliases with names of their own. */
const NAMES = new Map(Object.entries({ html: "HTML", htm: "HTML", toml: "TOML", jsx: "JSX", tsx: "TSX", svg: "SVG", csv: "CSV", tsv: "TSV", mermaid: "Mermaid" }));
const PLAIN = new Set(["", "text", "txt", "plain", "plaintext", "none", "output"]);

const FILES = new Map(
  Object.entries(LANGUAGES).flatMap(([file, [, ...aliases]]) => [file, ...aliases].map((each) => [each, file])),
);

/** Return the file that highlights a language; "" if there is none. @param {string} language as written */
export function languageFile(language) {
  return FILES.get(language) ?? "";
}

/** Return a language's display name. @param {string} language as written */
export function languageName(language) {
  if (PLAIN.has(language)) return t("Text");
  return NAMES.get(language) ?? LANGUAGES[languageFile(language)]?.[0] ?? language.slice(0, 30);
}
