"""Send requests to the emulator and read its responses."""

import json
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any

from chat.emulator import Answer, Emulator

LLAMA = "@cf/meta/llama-3.3-70b-instruct-fp8-fast"  # native
SCOUT = "@cf/meta/llama-4-scout-17b-16e-instruct"  # dual
GEMMA = "@cf/google/gemma-4-26b-a4b-it"  # openai
GPT_OSS = "@cf/openai/gpt-oss-120b"  # openai, reasoning under both names
QWQ = "@cf/qwen/qwq-32b"  # native, reasoning inside the text
RETIRED = "@cf/microsoft/phi-2"
ACCOUNT = "/client/v4/accounts/0123456789abcdef0123456789abcdef"
CHAT_COMPLETIONS = f"{ACCOUNT}/ai/v1/chat/completions"


def run_path(model: str = LLAMA) -> str:
    return f"{ACCOUNT}/ai/run/{model}"


@dataclass(frozen=True)
class Reply:
    """A whole answer. `events` are the JSON objects of the stream, without `[DONE]`."""

    status: int
    headers: dict[str, str]
    parts: list[bytes]

    @property
    def raw(self) -> bytes:
        return b"".join(self.parts)

    @property
    def json(self) -> Any:
        return json.loads(self.raw)

    @property
    def code(self) -> int:
        return int(self.json["errors"][0]["code"])

    @property
    def message(self) -> str:
        return str(self.json["errors"][0]["message"])

    @property
    def data(self) -> list[str]:
        blocks = self.raw.decode().split("\n\n")
        return [block.removeprefix("data: ") for block in blocks if block.startswith("data: ")]

    @property
    def is_done(self) -> bool:
        return "[DONE]" in self.data

    @property
    def events(self) -> list[dict[str, Any]]:
        return [json.loads(data) for data in self.data if data != "[DONE]"]

    @property
    def text(self) -> str:
        return "".join(filter(None, map(text_of, self.events)))

    @property
    def reasoning(self) -> str:
        return "".join(delta_of(event).get("reasoning_content") or "" for event in self.events)

    @property
    def finish_reasons(self) -> list[str]:
        choices = [choice for event in self.events for choice in event.get("choices", [])]
        return [choice["finish_reason"] for choice in choices if choice.get("finish_reason")]

    @property
    def usage(self) -> dict[str, Any]:
        """Return the total usage: the final one if there is one, else the sum."""
        if "response" in self.events[-1]:
            return dict(self.events[-1]["usage"])
        return self.summed_usage

    @property
    def summed_usage(self) -> dict[str, Any]:
        usages = [event["usage"] for event in self.events if "choices" in event]
        keys = ("prompt_tokens", "completion_tokens", "total_tokens", "neurons")
        return {key: sum(usage[key] for usage in usages) for key in keys}


def delta_of(event: dict[str, Any]) -> dict[str, Any]:
    choices = event.get("choices") or [{}]
    return choices[0].get("delta") or {}


def text_of(event: dict[str, Any]) -> str | None:
    return delta_of(event).get("content") or event.get("response")


async def begin(
    emulator: Emulator,
    document: Any,
    path: str = run_path(),
    method: str = "POST",
    headers: dict[str, str] | None = None,
) -> Answer:
    body = document if isinstance(document, bytes) else json.dumps(document).encode()
    return await emulator.handle(method, path, headers or {}, body)


async def send(*args: Any, **options: Any) -> Reply:
    """Send a request and collect the whole answer."""
    answer = await begin(*args, **options)
    async with aclosing(answer.body) as body:
        parts = [part async for part in body]
    return Reply(answer.status, dict(answer.headers), parts)


async def get(emulator: Emulator, path: str, headers: dict[str, str] | None = None) -> Reply:
    return await send(emulator, b"", path, method="GET", headers=headers)


async def ask(emulator: Emulator, text: str, model: str = LLAMA, **parameters: Any) -> Reply:
    """Request a streamed answer on /ai/run, with a high `max_tokens`."""
    return await send(emulator, question(text, **parameters), run_path(model))


async def ask_v1(emulator: Emulator, text: str, model: str = LLAMA, **parameters: Any) -> Reply:
    """Request a streamed answer on /ai/v1/chat/completions."""
    document = {"model": model, **question(text, **parameters)}
    return await send(emulator, document, CHAT_COMPLETIONS)


def question(text: str, **parameters: Any) -> dict[str, Any]:
    messages = [{"role": "user", "content": text}]
    return {"messages": messages, "stream": True, "max_tokens": 4000, **parameters}


async def first(body: AsyncGenerator[bytes, None], count: int) -> list[bytes]:
    """Read so many parts, and stop reading."""
    return [await anext(body) for _ in range(count)]
