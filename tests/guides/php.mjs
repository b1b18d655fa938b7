// Runs a file of PHP, with this process's environment: node php.mjs <file>
import { readFileSync } from "node:fs";

import { getPHPLoaderModule } from "@php-wasm/node-8-4";
import { loadPHPRuntime, PHP } from "@php-wasm/universal";

const php = new PHP(await loadPHPRuntime(await getPHPLoaderModule()));
const { text, errors, exitCode } = await php.run({ code: readFileSync(process.argv[2], "utf8"), env: process.env });
process.stdout.write(text);
process.stderr.write(errors);
process.exit(exitCode);
