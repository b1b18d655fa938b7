// Talks to the emulator through Cloudflare's provider for the AI SDK; prints what it got as JSON.
import { generateText, jsonSchema, streamText, tool } from "ai";
import { createWorkersAI } from "workers-ai-provider";

const CLOUDFLARE = "https://api.cloudflare.com/client/v4";
const LLAMA = "@cf/meta/llama-3.3-70b-instruct-fp8-fast";
const SCOUT = "@cf/meta/llama-4-scout-17b-16e-instruct";
const GEMMA = "@cf/google/gemma-4-26b-a4b-it";

const withKey = (apiKey) =>
  createWorkersAI({
    accountId: "a",
    apiKey,
    fetch: (url, options) => fetch(String(url).replace(CLOUDFLARE, process.env.EMULATOR_URL), options),
  });
const workersai = withKey(process.env.EMULATOR_TOKEN);

const tools = {
  read_gauge: tool({
    description: "Reads a gauge",
    inputSchema: jsonSchema({ type: "object", properties: { query: { type: "string" } } }),
  }),
};

async function streamed(model, prompt, options = {}) {
  const heard = { text: "", reasoning: "", errors: [], toolCalls: [] };
  const take = {
    "text-delta": (part) => (heard.text += part.text),
    "reasoning-delta": (part) => (heard.reasoning += part.text),
    "tool-call": (part) => heard.toolCalls.push({ name: part.toolName, input: part.input }),
    error: (part) => heard.errors.push(described(part.error)),
    finish: (part) => Object.assign(heard, { finish: part.finishReason, usage: part.totalUsage }),
  };
  const result = streamText({ model: workersai(model), prompt, maxRetries: 0, ...options });
  for await (const part of result.fullStream) take[part.type]?.(part);
  return heard;
}

async function whole(model, prompt, provider = workersai) {
  const result = await generateText({ model: provider(model), prompt, maxRetries: 0 });
  return { text: result.text, usage: result.usage, finish: result.finishReason };
}

async function failed(prompt, key = process.env.EMULATOR_TOKEN) {
  try {
    await whole(LLAMA, prompt, withKey(key));
  } catch (error) {
    return described(error);
  }
  return null;
}

function described(error) {
  return { name: error?.name, status: error?.statusCode, message: String(error?.message ?? error) };
}

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
    broken: await streamed(LLAMA, "/error-after 5"),
    context: await failed("/error 5021"),
    wrongKey: await failed("Hello", "DUMMY_KEY"),
    rate: await failed("Hello", process.env.RUNNEL_RATE_KEY),
    quota: await failed("Hello", process.env.RUNNEL_QUOTA_KEY),
    busy: await failed("/error 3040"),
    unauthorised: await failed("/error 10000"),
    badGateway: await failed("/error 502"),
  }),
);
