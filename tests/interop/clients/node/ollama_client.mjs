// Asks through Ollama's package for JavaScript, which many desktop programs use.
import { Ollama } from "ollama";
import { GEMMA, KEY, MODEL, SITE, tell } from "./behaviours.mjs";

const client = (key) => new Ollama({ host: SITE, headers: { Authorization: `Bearer ${key}` } });
const asking = (content) => [{ role: "user", content }];

async function ask(prompt, key) {
  return (await client(key).chat({ model: MODEL, messages: asking(prompt) })).message.content;
}

async function stream(prompt, key) {
  let text = "";
  const pieces = await client(key).chat({ model: MODEL, messages: asking(prompt), stream: true });
  for await (const piece of pieces) text += piece.message.content;
  return text;
}

const properties = { query: { type: "string", description: "What to look up" } };
const parameters = { type: "object", properties, required: ["query"] };
const gauge = { type: "function", function: { name: "read_gauge", description: "Reads it.", parameters } };

async function tools() {
  const messages = asking("/tool the level");
  const request = { model: GEMMA, messages, tools: [gauge] };
  messages.push((await client(KEY).chat(request)).message);
  messages.push({ role: "tool", tool_name: "read_gauge", content: "4.2 m" });
  return (await client(KEY).chat(request)).message.content;
}

async function completion() {
  return (await client(KEY).generate({ model: MODEL, prompt: "Hello" })).response;
}

async function embedding() {
  return (await client(KEY).embed({ model: "@cf/baai/bge-m3", input: "Hello" })).embeddings[0].length;
}

async function models() {
  const { models: listed } = await client(KEY).list();
  const { capabilities } = await client(KEY).show({ model: listed[0].model });
  return listed.length >= 14 && capabilities.includes("completion");
}

await tell(ask, stream, { tools, completion, embedding, models });
