"""Ask through LiteLLM."""

import json
from typing import Any

import litellm
from behaviours import BASE_URL, GEMMA, KEY, MODEL, tell
from pydantic import BaseModel

litellm.suppress_debug_info = True
litellm.disable_hf_tokenizer_download = True


class City(BaseModel):
    name: str


TOOL = {
    "type": "function",
    "function": {
        "name": "read_gauge",
        "parameters": {"type": "object", "properties": {"query": {"type": "string"}}},
    },
}


def completion(prompt: str, key: str = KEY, model: str = MODEL, **options: Any) -> Any:
    return litellm.completion(
        model=f"openai/{model}",
        api_base=BASE_URL,
        api_key=key,
        messages=[{"role": "user", "content": prompt}],
        max_retries=0,
        **options,
    )


def ask(prompt: str, key: str) -> str:
    return completion(prompt, key).choices[0].message.content


def stream(prompt: str, key: str) -> str:
    chunks = completion(prompt, key, stream=True)
    return "".join(chunk.choices[0].delta.content or "" for chunk in chunks)


def tool(is_streamed: bool) -> Any:
    found = completion("/tool the level", model=GEMMA, tools=[TOOL], stream=is_streamed)
    if is_streamed:
        found = litellm.stream_chunk_builder(list(found))
    (call,) = found.choices[0].message.tool_calls
    return [call.function.name, json.loads(call.function.arguments)]


def structured() -> str:
    found = completion("Hello", model=GEMMA, response_format=City)
    return type(City.model_validate_json(found.choices[0].message.content)).__name__


def response() -> str:
    options = {"api_base": BASE_URL, "api_key": KEY}
    found = litellm.responses(model=f"openai/{MODEL}", input="Hello", **options)
    return found.output[0].content[0].text


def embedding() -> int:
    options = {"api_base": BASE_URL, "api_key": KEY}
    found = litellm.embedding(model="openai/@cf/baai/bge-m3", input=["a"], **options)
    return len(found.data[0]["embedding"])


tell(
    ask,
    stream,
    tool=lambda: tool(False),
    streamed_tool=lambda: tool(True),
    structured=structured,
    response=response,
    embedding=embedding,
)
