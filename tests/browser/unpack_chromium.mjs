/**
 * Unpacks the Chromium of the npm package `@sparticuz/chromium` into TMPDIR, which is where the
 * package unpacks to, and prints its path. With `--libraries`, also the system libraries that it needs
 * where the machine has none; their folder is printed on a second line.
 */

import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import chromium, { inflate } from "@sparticuz/chromium";

console.log(await chromium.executablePath());

if (process.argv.includes("--libraries")) {
  const build = dirname(createRequire(import.meta.url).resolve("@sparticuz/chromium"));
  await inflate(join(build, "..", "bin", "al2023.tar.br"));
  console.log(join(tmpdir(), "al2023", "lib"));
}
