// Talks to the emulator through Cloudflare's provider for the AI SDK; prints what it got as JSON.
import { generateText, streamText, tool, jsonSchema } from "ai";
import { createWorkersAI } from "workers-ai-provider";

const CLOUDFLARE = "https://api.cloudflare.com/client/v4";

const workersai = createWorkersAI({
  accountId: "a",
  apiKey: process.env.EMULATOR_TOKEN,
  fetch: (url, options) => fetch(String(url).replace(CLOUDFLARE, process.env.EMULATOR_URL), options),
});

async function streamed(model, prompt, options = {}) {
  const result = streamText({ model: workersai(model), prompt, maxRetries: 0, ...options });
  const parts = { text: "", reasoning: "", errors: [], toolCalls: [] };
  for await (const part of result.fullStream) {
    if (part.type === "text-delta") parts.text += part.text;
    if (part.type === "reasoning-delta") parts.reasoning += part.text;
    if (part.type === "tool-call") parts.toolCalls.push({ name: part.toolName, input: part.input });
    if (part.type === "error") parts.errors.push(named(part.error));
    if (part.type === "finish") Object.assign(parts, { finish: part.finishReason, usage: part.totalUsage });
  }
  return parts;
}

async function whole(model, prompt) {
  const { text, usage, finishReason } = await generateText({ model: workersai(model), prompt, maxRetries: 0 });
  return { text, usage, finish: finishReason };
}

async function failed(prompt) {
  try {
    await generateText({ model: workersai(LLAMA), prompt, maxRetries: 0 });
  } catch (error) {
    return named(error);
  }
  return null;
}

const named = (error) => ({ name: error?.name, status: error?.statusCode, message: String(error?.message ?? error) });

const LLAMA = "@cf/meta/llama-3.3-70b-instruct-fp8-fast";
const SCOUT = "@cf/meta/llama-4-scout-17b-16e-instruct";
const GEMMA = "@cf/google/gemma-4-26b-a4b-it";
const tools = {
  read_gauge: tool({
    description: "Reads a gauge",
    inputSchema: jsonSchema({ type: "object", properties: { query: { type: "string" } } }),
  }),
};

console.log(
  JSON.stringify({
    native: await streamed(LLAMA, "Hello"),
    dual: await streamed(SCOUT, "Hello"),
    openai: await streamed(GEMMA, "/think 40 Hello"),
    cutOff: await streamed(GEMMA, "/long", { maxOutputTokens: 20 }),
    nativeTool: await streamed(LLAMA, "/tool the level", { tools }),
    openaiTool: await streamed(GEMMA, "/tool the level", { tools }),
    nativeDocument: await whole(LLAMA, "Hello"),
    openaiDocument: await whole(GEMMA, "Hello"),
    truncated: await streamed(LLAMA, "/cut 5"),
    busy: await failed("/error 3040"),
    unauthorised: await failed("/error 10000"),
    badGateway: await failed("/error 502"),
  }),
);
