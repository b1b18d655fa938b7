// Asks through Cloudflare's SDK for Node, with another base URL.
import Cloudflare from "cloudflare";
import { KEY, MODEL, SITE, tell } from "./behaviours.mjs";

const client = (apiToken) => new Cloudflare({ baseURL: `${SITE}/client/v4`, apiToken, maxRetries: 0 });
const asked = (prompt, more = {}) => ({ account_id: "any", prompt, ...more });

async function ask(prompt, key) {
  return (await client(key).ai.run(MODEL, asked(prompt))).response;
}

async function stream(prompt, key) {
  const response = await client(key).ai.run(MODEL, asked(prompt, { stream: true })).asResponse();
  let text = "";
  const decoder = new TextDecoder();
  for await (const piece of response.body) text += decoder.decode(piece, { stream: true });
  const events = text.split("\n\n").filter((block) => block.startsWith("data: {"));
  const found = events.map((block) => JSON.parse(block.slice(6)));
  const failed = found.find((each) => each.errors ?? each.error);
  if (failed) throw new Error(JSON.stringify(failed));
  return found.map((each) => each.response ?? "").join("");
}

async function models() {
  let count = 0;
  for await (const _each of client(KEY).ai.models.list({ account_id: "any", per_page: 5 })) count += 1;
  return count >= 14;
}

await tell(ask, stream, { models, token: async () => (await client(KEY).user.tokens.verify()).status });
