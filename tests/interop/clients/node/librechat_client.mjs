// Asks through LibreChat's agents, as its custom endpoints do.
import { randomUUID } from "node:crypto";
import { HumanMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { GraphEvents, Providers, Run } from "@librechat/agents";
import { GEMMA, KEY, MODEL, SITE, tell } from "./behaviours.mjs";

const asked = [];
const readGauge = tool(
  ({ query }) => {
    asked.push(query);
    return "4.2 m";
  },
  {
    name: "read_gauge",
    description: "Reads a gauge",
    schema: { type: "object", properties: { query: { type: "string" } }, required: ["query"] },
  },
);

async function run(prompt, apiKey, { model = MODEL, streaming = true, tools = [], onText = () => {} } = {}) {
  const runId = randomUUID();
  const llmConfig = { provider: Providers.OPENAI, model, apiKey, streaming, streamUsage: true, maxRetries: 0 };
  llmConfig.configuration = { baseURL: `${SITE}/v1` };
  const graph = await Run.create({
    runId,
    graphConfig: { type: "standard", instructions: "Help.", llmConfig, tools },
    returnContent: true,
    skipCleanup: true,
    customHandlers: {
      [GraphEvents.CHAT_MODEL_STREAM]: { handle: (_event, data) => onText(data.chunk?.content ?? "") },
    },
  });
  const options = { runId, configurable: { thread_id: runId }, streamMode: "values", version: "v2" };
  await graph.processStream({ messages: [new HumanMessage(prompt)] }, options);
  const messages = graph.getRunMessages() ?? [];
  const content = messages.at(-1)?.content ?? "";
  return typeof content === "string" ? content : content.map((part) => part.text ?? "").join("");
}

async function stream(prompt, key) {
  let text = "";
  await run(prompt, key, { onText: (piece) => (text += piece) });
  return text;
}

async function tools() {
  const answer = await run("/tool the level", KEY, { model: GEMMA, tools: [readGauge] });
  return [...asked, answer];
}

await tell((prompt, key) => run(prompt, key, { streaming: false }), stream, { tools });
