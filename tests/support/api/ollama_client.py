"""Call Ollama's API as its clients do, and translate its requests without starting anything."""

import json
from typing import Any

from ollama import ChatResponse, GenerateResponse

from chat.lib.catalogue import Model
from chat.upstream.request import CompletionRequest
from chat.web.api.ollama.requests import read_chat, read_generate
from tests.support.api.api_client import MODEL, ApiClient

BLIND = Model(id="m", context_window=100_000, tools=True)
SEEING = Model(id="m", context_window=100_000, tools=True, vision=True)
LOOK_UP: dict[str, Any] = {
    "type": "function",
    "function": {
        "name": "look_up",
        "description": "Looks something up.",
        "parameters": {"type": "object", "properties": {"query": {"type": "string"}}},
    },
}


def asking(text: str, **more: Any) -> dict[str, Any]:
    return {"role": "user", "content": text, **more}


async def chat(program: ApiClient, text: str = "Hello", **options: Any) -> Any:
    """Ask one question, and send options in addition."""
    return await program.post("/api/chat", {"model": MODEL, "messages": [asking(text)], **options})


async def generate(program: ApiClient, prompt: str = "Hello", **options: Any) -> Any:
    return await program.post("/api/generate", {"model": MODEL, "prompt": prompt, **options})


async def lines_of(response: Any) -> list[dict[str, Any]]:
    """Return the objects of a stream, one a line; each conforms to the package's types."""
    assert response.status_code == 200, response.content
    assert response["Content-Type"] == "application/x-ndjson"
    sent = b"".join([chunk async for chunk in response.streaming_content]).decode()
    assert sent.endswith("\n")
    objects = [json.loads(line) for line in sent.splitlines()]  # as httpx splits them
    for each in objects:
        if "error" not in each:
            require_conforming(each)
    return objects


def require_conforming(value: dict[str, Any]) -> None:
    kind = ChatResponse if "message" in value else GenerateResponse
    kind.model_validate(value)


async def asked(model: Model = BLIND, /, **request: Any) -> CompletionRequest:
    """Return what the provider is asked for a chat."""
    body = {"model": "m", "messages": [asking("Hi")], **request}
    read = await read_chat(json.dumps(body).encode())
    return read.question(model, "api_key:1")


async def prompted(model: Model = BLIND, /, **request: Any) -> CompletionRequest:
    """Return what the provider is asked for a single prompt."""
    body = {"model": "m", "prompt": "Hi", **request}
    read = await read_generate(json.dumps(body).encode())
    return read.question(model, "api_key:1")
