// Talks to the site's API through the AI SDK with its two OpenAI providers; prints what it got.
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { embedMany, generateText, jsonSchema, Output, stepCountIs, streamText, tool } from "ai";

const MODEL = "@cf/meta/llama-3.3-70b-instruct-fp8-fast";
const GEMMA = "@cf/google/gemma-4-26b-a4b-it";
const options = { baseURL: `${process.env.RUNNEL_URL}/v1`, apiKey: process.env.RUNNEL_API_KEY };
const compatible = createOpenAICompatible({ name: "runnel", includeUsage: true, ...options });
const openai = createOpenAI(options);
const providers = { compatible, responses: openai, chat: (model) => openai.chat(model) };
/** The same provider with another key. */
const withKey = {
  compatible: (apiKey) => createOpenAICompatible({ name: "runnel", ...options, apiKey }),
  responses: (apiKey) => createOpenAI({ ...options, apiKey }),
  chat: (apiKey) => createOpenAI({ ...options, apiKey }).chat,
};

const tools = {
  read_gauge: tool({
    description: "Reads a gauge",
    inputSchema: jsonSchema({
      type: "object",
      properties: { query: { type: "string" } },
      required: ["query"],
      additionalProperties: false,
    }),
  }),
};
const schema = jsonSchema({ type: "object", properties: { a: { type: "string" } } });

async function streamed(provider, model, prompt, more = {}) {
  const heard = { text: "", reasoning: "", errors: [], toolCalls: [] };
  const take = {
    "text-delta": (part) => (heard.text += part.text),
    "reasoning-delta": (part) => (heard.reasoning += part.text),
    "tool-call": (part) => heard.toolCalls.push({ name: part.toolName, input: part.input }),
    error: (part) => heard.errors.push(String(part.error?.message ?? part.error)),
    finish: (part) => Object.assign(heard, { finish: part.finishReason, usage: part.totalUsage }),
  };
  const result = streamText({ model: provider(model), prompt, maxRetries: 0, onError() {}, ...more });
  for await (const part of result.fullStream) take[part.type]?.(part);
  return heard;
}

async function failed(provider, prompt) {
  try {
    await generateText({ model: provider(MODEL), prompt, maxRetries: 0 });
  } catch (error) {
    return { name: error?.name, status: error?.statusCode, isRetryable: error?.isRetryable };
  }
  return null;
}

async function object(provider) {
  const asked = { model: provider(GEMMA), prompt: "Hello", output: Output.object({ schema }), maxRetries: 0 };
  return typeof (await generateText(asked)).output;
}

/** Three turns, each with what the SDK makes of those before: ids instead of items. */
async function turns(provider) {
  const texts = [];
  const messages = [];
  for (const content of ["/tool the level", "/tool nowhere", "Hello"]) {
    messages.push({ role: "user", content });
    const asked = { model: provider(GEMMA), messages, tools: runs, stopWhen: stepCountIs(3), maxRetries: 0 };
    const answer = await generateText(asked);
    messages.push(...answer.response.messages);
    texts.push(answer.text);
  }
  return texts;
}

async function read({ query }) {
  if (query === "nowhere") throw new Error("There is no such gauge.");
  return "4.2 m";
}
const runs = { read_gauge: { ...tools.read_gauge, execute: read } };

const heard = {};
for (const [name, provider] of Object.entries(providers)) {
  heard[name] = {
    native: await streamed(provider, MODEL, "Hello"),
    openai: await streamed(provider, GEMMA, "Hello"),
    cutOff: await streamed(provider, GEMMA, "/long", { maxOutputTokens: 20 }),
    tool: await streamed(provider, GEMMA, "/tool the level", { tools }),
    broken: await streamed(provider, MODEL, "/error-after 3"),
    truncated: await streamed(provider, MODEL, "/cut 3"),
    object: await object(provider),
    turns: await turns(provider),
    context: await failed(provider, "/error 5021"),
    quota: await failed(provider, "/error 4006"),
    busy: await failed(provider, "/error 3040"),
    wrongKey: await failed(withKey[name]("DUMMY_KEY"), "Hello"),
    rate: await failed(withKey[name](process.env.RUNNEL_RATE_KEY), "Hello"),
  };
}
heard.reasoning = (await streamed(compatible, GEMMA, "/think 40 Hello")).reasoning;
const embedded = { model: compatible.embeddingModel("@cf/baai/bge-m3"), values: ["a", "b"] };
heard.embeddings = (await embedMany(embedded)).embeddings.map((each) => each.length);
console.log(JSON.stringify(heard));
