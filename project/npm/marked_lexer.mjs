/**
 * Write marked's lexer as a module of its own, for `make assets`: the page uses nothing else of marked, whose other
 * parts a bundler cannot leave out, because the module creates an instance with all of them.
 */

import { readFileSync, writeFileSync } from "node:fs";

const SOURCE = "node_modules/marked/lib/marked.esm.js";
const TARGET = "node_modules/.marked_lexer.js";
const INSTANCE = /var (\w+)=new \w+;function \w+\(\w+,\w+\)\{return \1\.parse\(/;

const text = readFileSync(SOURCE, "utf8");
const start = text.search(INSTANCE);
const exports = text.slice(text.lastIndexOf("export{"));
const names = ["Lexer", "Tokenizer"].map((name) => exports.match(`(\\w+) as ${name}[,}]`)?.[1]);
if (start < 0 || names.includes(undefined)) throw new Error(`${SOURCE} has changed: adapt project/npm/marked_lexer.mjs`);
writeFileSync(TARGET, `${text.slice(0, start)}export{${names[0]} as Lexer,${names[1]} as Tokenizer};\n`);
