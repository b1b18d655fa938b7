// Talks to the site's API through OpenAI's package for Node; prints what it got as JSON.
import OpenAI, { toFile } from "openai";

const MODEL = "@cf/meta/llama-3.3-70b-instruct-fp8-fast";
const GEMMA = "@cf/google/gemma-4-26b-a4b-it";
const baseURL = `${process.env.RUNNEL_URL}/v1`;
const client = new OpenAI({ baseURL, apiKey: process.env.RUNNEL_API_KEY, maxRetries: 0 });

const asking = (content) => [{ role: "user", content }];
const tool = {
  type: "function",
  function: { name: "read_gauge", parameters: { type: "object", properties: { query: { type: "string" } } } },
};

async function streamed(model) {
  const options = { model, messages: asking("Hello"), stream: true, stream_options: { include_usage: true } };
  const heard = { text: "", finish: null, usage: null };
  for await (const chunk of await client.chat.completions.create(options)) {
    heard.text += chunk.choices[0]?.delta.content ?? "";
    heard.finish = chunk.choices[0]?.finish_reason ?? heard.finish;
    heard.usage = chunk.usage ?? heard.usage;
  }
  return heard;
}

async function helped(content, options = {}) {
  const runner = client.chat.completions.stream({ model: GEMMA, messages: asking(content), ...options });
  const { choices } = await runner.finalChatCompletion();
  return choices[0];
}

async function ranTools() {
  const asked = [];
  const run = {
    ...tool.function,
    parse: JSON.parse,
    function: ({ query }) => {
      asked.push(query);
      return "4.2 m";
    },
  };
  const tools = [{ type: "function", function: run }];
  const runner = client.chat.completions.runTools({ model: GEMMA, messages: asking("/tool the level"), tools });
  return { text: await runner.finalContent(), asked };
}

async function responded() {
  const stream = client.responses.stream({ model: GEMMA, input: "Hello" });
  let text = "";
  stream.on("response.output_text.delta", (event) => (text += event.delta));
  const final = await stream.finalResponse();
  return { text, final: final.output_text, status: final.status };
}

async function failed(content, stream, options = {}) {
  const answering = new OpenAI({ baseURL, apiKey: process.env.RUNNEL_API_KEY, maxRetries: 0, ...options });
  try {
    const got = await answering.chat.completions.create({ model: MODEL, messages: asking(content), stream });
    if (stream) for await (const _chunk of got);
  } catch (error) {
    return { name: error.constructor.name, status: error.status ?? null, code: error.code ?? null };
  }
  return null;
}

async function soundsAndPictures() {
  const spoken = await client.audio.speech.create({ model: "@cf/deepgram/aura-1", input: "Hello", voice: "alloy" });
  const sound = Buffer.from(await spoken.arrayBuffer());
  const file = await toFile(sound, "speech.wav");
  const heard = await client.audio.transcriptions.create({ model: "@cf/openai/whisper-large-v3-turbo", file });
  const drawn = await client.images.generate({ model: "@cf/black-forest-labs/flux-1-schnell", prompt: "A river" });
  return {
    type: spoken.headers.get("content-type"),
    bytes: sound.length,
    text: heard.text,
    picture: Buffer.from(drawn.data[0].b64_json, "base64").subarray(1, 4).toString(),
  };
}

const models = await client.models.list();
const vectors = await client.embeddings.create({ model: "@cf/baai/bge-m3", input: ["a"] });
console.log(
  JSON.stringify({
    native: await streamed(MODEL),
    openai: await streamed(GEMMA),
    helped: await helped("Hello"),
    helpedTool: await helped("/tool the level", { tools: [tool] }),
    ranTools: await ranTools(),
    responded: await responded(),
    models: models.data.map((each) => each.id),
    model: (await client.models.retrieve(MODEL)).id,
    vector: vectors.data[0].embedding.length,
    media: await soundsAndPictures(),
    context: await failed("/error 5021", false),
    quota: await failed("/error 4006", true),
    rate: await failed("Hello", true, { apiKey: process.env.RUNNEL_RATE_KEY }),
    wrongKey: await failed("Hello", false, { apiKey: "DUMMY_KEY" }),
    broken: await failed("/error-after 3", true),
    cut: await failed("/cut 3", true),
  }),
);
