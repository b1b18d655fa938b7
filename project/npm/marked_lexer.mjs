/**
 * Write marked's lexer as a module of its own, for `make assets`: the page uses nothing else of marked, whose other
 * parts a bundler cannot leave out, because the module creates an instance with all of them. Nor does it use the modes
 * `pedantic` and `breaks`, whose regular expressions would be created all the same.
 */

import { readFileSync, writeFileSync } from "node:fs";
import { argv } from "node:process";

const SOURCE = "node_modules/marked/lib/marked.esm.js";
const TARGET = argv[2] ?? "node_modules/.marked_lexer.js";
const INSTANCE = /var (\w+)=new \w+;function \w+\(\w+,\w+\)\{return \1\.parse\(/;
const MODES = /=\{normal:\w+,gfm:\w+,pedantic:(?<block>\w+)\},\w+=\{normal:\w+,gfm:\w+,breaks:(?<breaks>\w+),pedantic:(?<inline>\w+)\};/;
const EMPHASIS = /emStrongLDelim:(\w+),emStrongRDelimAst:(\w+),emStrongRDelimUnd:(\w+)/;

const text = readFileSync(SOURCE, "utf8");
const start = text.search(INSTANCE);
const exports = text.slice(text.lastIndexOf("export{"));
const names = ["Lexer", "Tokenizer"].map((name) => exports.match(`(\\w+) as ${name}[,}]`)?.[1]);
const modes = MODES.exec(text)?.groups;
if (start < 0 || names.includes(undefined) || !modes) fail();

let lexer = text.slice(0, start).replace(/this\.options\.(?:pedantic|breaks)/g, "!1").replace(/,(?:breaks|pedantic):\w+(?=[,}])/g, "");
const [inline] = [modes.breaks, modes.inline, modes.block].map((name) => cut(`,${name}=\\{\\.\\.\\.[^]*?getRegex\\(\\)\\}(?=[,;])`)).slice(1);
for (const name of EMPHASIS.exec(inline)?.slice(1) ?? fail()) cut(`,${name}=\\w+\\([^]*?\\.getRegex\\(\\)`);
writeFileSync(TARGET, `${lexer}export{${names[0]} as Lexer,${names[1]} as Tokenizer};\n`);

/** Remove the one definition that matches, and return it. @param {string} pattern */
function cut(pattern) {
  const found = lexer.match(pattern)?.[0] ?? fail();
  lexer = lexer.replace(found, () => "");
  return found;
}

/** @returns {never} */
function fail() {
  throw new Error(`${SOURCE} has changed: adapt project/npm/marked_lexer.mjs`);
}
