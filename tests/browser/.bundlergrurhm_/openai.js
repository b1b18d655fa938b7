// openai.js
import OpenAI from "openai";

export async function ask(address, messages, onText, signal) {
  const client = new OpenAI({ baseURL: `${address}/v1`, apiKey: "none", dangerouslyAllowBrowser: true });
  const stream = await client.chat.completions.create({ model: "site", messages, stream: true }, { signal });
  for await (const { choices } of stream) onText(choices[0]?.delta.content ?? "");
}
