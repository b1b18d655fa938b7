// Asks through LangChain.js's `ChatOpenAI`, with a loop of tools as its guide has it.
import { HumanMessage, ToolMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { ChatOpenAI, OpenAIEmbeddings } from "@langchain/openai";
import { GEMMA, KEY, MODEL, readGauge, SITE, TASK, TASK_SITE, tell } from "./behaviours.mjs";

const gauge = tool(readGauge, {
  name: "read_gauge",
  description: "Reads a gauge",
  schema: { type: "object", properties: { query: { type: "string" } }, required: ["query"] },
});
const schema = { title: "City", type: "object", properties: { name: { type: "string" } }, required: ["name"] };

function chat(apiKey = KEY, model = MODEL, more = {}) {
  return new ChatOpenAI({ model, apiKey, maxRetries: 0, configuration: { baseURL: `${SITE}/v1` }, ...more });
}

const ask = async (prompt, key) => (await chat(key).invoke(prompt)).text;

async function streamed(model, prompt) {
  let text = "";
  for await (const chunk of await model.stream(prompt)) text += chunk.text;
  return text;
}

async function streamedTool() {
  let whole;
  for await (const chunk of await chat(KEY, GEMMA).bindTools([gauge]).stream("/tool the level")) {
    whole = whole?.concat(chunk) ?? chunk;
  }
  return [whole.tool_calls[0].name, whole.tool_calls[0].args];
}

async function task(more = {}) {
  const { url: baseURL, key, model } = TASK_SITE;
  const bound = chat(key, model, { configuration: { baseURL }, ...more }).bindTools([gauge]);
  const messages = [new HumanMessage(TASK)];
  for (;;) {
    const answer = await bound.invoke(messages);
    messages.push(answer);
    if (!answer.tool_calls.length) return answer.text;
    for (const call of answer.tool_calls) {
      const result = await gauge.invoke(call).catch(
        ({ message }) => new ToolMessage({ content: message, tool_call_id: call.id, status: "error" }),
      );
      messages.push(result);
    }
  }
}

async function structured() {
  return typeof (await chat(KEY, GEMMA).withStructuredOutput(schema, { method: "jsonSchema" }).invoke("Hello"));
}

async function embedding() {
  const options = { model: "@cf/baai/bge-m3", apiKey: KEY, configuration: { baseURL: `${SITE}/v1` } };
  return (await new OpenAIEmbeddings(options).embedQuery("Hello")).length;
}

await tell(ask, (prompt, key) => streamed(chat(key), prompt), {
  streamed_tool: streamedTool,
  task,
  response_task: () => task({ useResponsesApi: true }),
  response: () => streamed(chat(KEY, MODEL, { useResponsesApi: true }), "Hello"),
  structured,
  embedding,
});
