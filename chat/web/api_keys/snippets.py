"""What to paste into each client: the developers' page shows these; tests run them unchanged."""

from dataclasses import dataclass

from django.conf import settings

#: Stand for the site's address and a model in the texts below.
SITE, MODEL = "SITE_ADDRESS", "MODEL_ID"


@dataclass(frozen=True, slots=True)
class Snippet:
    """A text for one client, and the file or place that it belongs into."""

    id: str
    client: str
    place: str
    text: str

    @property
    def rows(self) -> int:
        return self.text.count("\n") + 1


_ALL = (
    Snippet(
        "curl",
        "curl",
        "",
        """\
curl SITE_ADDRESS/v1/chat/completions \\
  -H "Authorization: Bearer $RUNNEL_API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"model": "MODEL_ID", "messages": [{"role": "user", "content": "Hello"}]}'""",
    ),
    Snippet(
        "python",
        "Python",
        "pip install openai",
        """\
import os
from openai import OpenAI

client = OpenAI(base_url="SITE_ADDRESS/v1", api_key=os.environ["RUNNEL_API_KEY"])
stream = client.chat.completions.create(
    model="MODEL_ID",
    messages=[{"role": "user", "content": "Hello"}],
    stream=True,
)
for chunk in stream:
    print(chunk.choices[0].delta.content or "", end="")""",
    ),
    Snippet(
        "node",
        "Node.js",
        "npm install openai",
        """\
import OpenAI from "openai";

const client = new OpenAI({
  baseURL: "SITE_ADDRESS/v1",
  apiKey: process.env.RUNNEL_API_KEY,
});
const stream = await client.chat.completions.create({
  model: "MODEL_ID",
  messages: [{ role: "user", content: "Hello" }],
  stream: true,
});
for await (const chunk of stream) {
  process.stdout.write(chunk.choices[0].delta.content ?? "");
}""",
    ),
    Snippet(
        "ai-sdk",
        "AI SDK",
        "npm install ai @ai-sdk/openai-compatible",
        """\
import { streamText } from "ai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";

const runnel = createOpenAICompatible({
  name: "runnel",
  baseURL: "SITE_ADDRESS/v1",
  apiKey: process.env.RUNNEL_API_KEY,
  includeUsage: true,
});
const { textStream } = streamText({ model: runnel("MODEL_ID"), prompt: "Hello" });
for await (const text of textStream) process.stdout.write(text);""",
    ),
    Snippet(
        "langchain",
        "LangChain",
        "pip install langchain-openai",
        """\
import os
from langchain_openai import ChatOpenAI

model = ChatOpenAI(
    model="MODEL_ID",
    base_url="SITE_ADDRESS/v1",
    api_key=os.environ["RUNNEL_API_KEY"],
    stream_usage=True,
)
print(model.invoke("Hello").content)""",
    ),
    Snippet(
        "claude-code",
        "Claude Code",
        "",
        """\
export ANTHROPIC_BASE_URL=SITE_ADDRESS
export ANTHROPIC_AUTH_TOKEN=$RUNNEL_API_KEY
export ANTHROPIC_MODEL=MODEL_ID
export ANTHROPIC_DEFAULT_OPUS_MODEL=MODEL_ID
export ANTHROPIC_DEFAULT_SONNET_MODEL=MODEL_ID
export ANTHROPIC_DEFAULT_HAIKU_MODEL=MODEL_ID
claude""",
    ),
    Snippet(
        "codex",
        "Codex",
        "~/.codex/config.toml",
        """\
model = "MODEL_ID"
model_provider = "runnel"

[model_providers.runnel]
name = "Runnel"
base_url = "SITE_ADDRESS/v1"
env_key = "RUNNEL_API_KEY"
wire_api = "responses\"""",
    ),
    Snippet(
        "opencode",
        "opencode",
        "opencode.json",
        """\
{
  "model": "runnel/MODEL_ID",
  "provider": {
    "runnel": {
      "npm": "@ai-sdk/openai-compatible",
      "name": "Runnel",
      "options": { "baseURL": "SITE_ADDRESS/v1", "apiKey": "{env:RUNNEL_API_KEY}" },
      "models": { "MODEL_ID": {} }
    }
  }
}""",
    ),
    Snippet(
        "qwen-code",
        "Qwen Code",
        "",
        """\
export OPENAI_BASE_URL=SITE_ADDRESS/v1
export OPENAI_API_KEY=$RUNNEL_API_KEY
export OPENAI_MODEL=MODEL_ID
qwen""",
    ),
    Snippet(
        "anthropic",
        "Anthropic Python SDK",
        "pip install anthropic",
        """\
import os
from anthropic import Anthropic

client = Anthropic(base_url="SITE_ADDRESS", api_key=os.environ["RUNNEL_API_KEY"])
message = client.messages.create(
    model="MODEL_ID",
    max_tokens=1000,
    messages=[{"role": "user", "content": "Hello"}],
)
print(message.content[0].text)""",
    ),
    Snippet(
        "ollama",
        "Ollama Python SDK",
        "pip install ollama",
        """\
import os
from ollama import Client

key = os.environ["RUNNEL_API_KEY"]
client = Client(host="SITE_ADDRESS", headers={"Authorization": f"Bearer {key}"})
messages = [{"role": "user", "content": "Hello"}]
for part in client.chat(model="MODEL_ID", messages=messages, stream=True):
    print(part.message.content, end="")""",
    ),
    Snippet(
        "llm",
        "llm",
        "extra-openai-models.yaml; llm keys set runnel",
        """\
- model_id: runnel
  model_name: "MODEL_ID"
  api_base: SITE_ADDRESS/v1
  api_key_name: runnel
  supports_tools: true
  supports_schema: true""",
    ),
    Snippet(
        "aider",
        "aider",
        "",
        """\
export OPENAI_API_BASE=SITE_ADDRESS/v1
export OPENAI_API_KEY=$RUNNEL_API_KEY
aider --model openai/MODEL_ID""",
    ),
    Snippet(
        "continue",
        "Continue",
        "~/.continue/config.yaml",
        """\
name: Runnel
version: 1.0.0
schema: v1
models:
  - name: Runnel
    provider: openai
    model: "MODEL_ID"
    apiBase: SITE_ADDRESS/v1
    apiKey: ${{ secrets.RUNNEL_API_KEY }}""",
    ),
    Snippet(
        "open-webui",
        "Open WebUI",
        "",
        """\
OPENAI_API_BASE_URL=SITE_ADDRESS/v1
OPENAI_API_KEY=$RUNNEL_API_KEY""",
    ),
    Snippet(
        "librechat",
        "LibreChat",
        "librechat.yaml",
        """\
endpoints:
  custom:
    - name: "Runnel"
      apiKey: "${RUNNEL_API_KEY}"
      baseURL: "SITE_ADDRESS/v1"
      models:
        default: ["MODEL_ID"]
        fetch: true""",
    ),
    Snippet(
        "cloudflare",
        "Cloudflare Python SDK",
        "pip install cloudflare",
        """\
import os
from cloudflare import Cloudflare

client = Cloudflare(base_url="SITE_ADDRESS/client/v4", api_token=os.environ["RUNNEL_API_KEY"])
print(client.ai.run("MODEL_ID", account_id="any", prompt="Hello")["response"])""",
    ),
)


def site_address() -> str:
    return str(settings.SITE_URL).rstrip("/")


def snippets_for(model_id: str) -> list[Snippet]:
    """Return the snippets with the site's address and this model."""
    address = site_address()
    return [
        Snippet(
            each.id,
            each.client,
            each.place,
            each.text.replace(SITE, address).replace(MODEL, model_id),
        )
        for each in _ALL
    ]
