// Asks through Continue's adapter for OpenAI, as the editor does for `provider: openai`.
import { constructLlmApi } from "@continuedev/openai-adapters";
import { GEMMA, KEY, MODEL, SITE, tell } from "./behaviours.mjs";

const api = (apiKey) => constructLlmApi({ provider: "openai", apiBase: `${SITE}/v1/`, apiKey });
const asked = (content, more = {}) => ({ model: MODEL, messages: [{ role: "user", content }], ...more });
const signal = () => AbortSignal.timeout(30_000);
const tools = [
  {
    type: "function",
    function: { name: "read_gauge", parameters: { type: "object", properties: { query: { type: "string" } } } },
  },
];

async function ask(prompt, key) {
  const found = await api(key).chatCompletionNonStream(asked(prompt, { stream: false }), signal());
  return found.choices[0].message.content;
}

async function stream(prompt, key) {
  let text = "";
  for await (const chunk of api(key).chatCompletionStream(asked(prompt, { stream: true }), signal())) {
    text += chunk.choices[0]?.delta.content ?? "";
  }
  return text;
}

async function streamedTool() {
  const heard = { name: "", text: "" };
  const body = asked("/tool the level", { model: GEMMA, stream: true, tools });
  for await (const chunk of api(KEY).chatCompletionStream(body, signal())) {
    const call = chunk.choices[0]?.delta.tool_calls?.[0]?.function;
    heard.name += call?.name ?? "";
    heard.text += call?.arguments ?? "";
  }
  return [heard.name, JSON.parse(heard.text)];
}

async function completion() {
  let text = "";
  const body = { model: MODEL, prompt: "Hello", stream: true };
  for await (const chunk of api(KEY).completionStream(body, signal())) text += chunk.choices[0]?.text ?? "";
  return text;
}

const more = {
  streamed_tool: streamedTool,
  completion,
  embedding: async () =>
    (await api(KEY).embed({ model: "@cf/baai/bge-m3", input: ["a"] })).data[0].embedding.length,
  models: async () => (await api(KEY).list()).map((each) => each.id).includes(MODEL),
};
await tell(ask, stream, more);
