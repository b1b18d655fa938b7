// Reads a model of Continue's configuration from the environment, and asks it as the editor does.
import { constructLlmApi } from "@continuedev/openai-adapters";

const { provider, apiBase, apiKey, model } = JSON.parse(process.env.CONTINUE_MODEL);
const body = { model, messages: [{ role: "user", content: "Hello" }], stream: true };
let text = "";
const stream = constructLlmApi({ provider, apiBase, apiKey }).chatCompletionStream(body, AbortSignal.timeout(30_000));
for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? "";
process.stdout.write(`${JSON.stringify({ text })}\n`, () => process.exit());
