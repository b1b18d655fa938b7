// Serves a file of PHP at a port: node php_server.mjs <file> <port>
import { readFileSync } from "node:fs";
import { createServer } from "node:http";

import { loadNodeRuntime } from "@php-wasm/node";
import { PHP } from "@php-wasm/universal";

const [file, port] = process.argv.slice(2);
const code = readFileSync(file, "utf8");

createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray());
  const php = new PHP(await loadNodeRuntime("8.4", { emscriptenOptions: { processId: 1 } }));
  const answer = await php.runStream({ code, method: request.method, relativeUri: request.url, body });
  response.writeHead(await answer.httpStatusCode, await answer.headers);
  for await (const piece of answer.stdout) response.write(Buffer.from(piece));
  response.end();
}).listen(Number(port), "127.0.0.1");
