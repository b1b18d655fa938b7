"""The JSON shapes in which Workers AI says the same things.

`/ai/run` answers in the model's family shape: native (`response`), openai (`choices`), or dual
(native, but both in one chunk when tools are offered). `/ai/v1/chat/completions` always answers in
OpenAI's, and only there strict clients listen: no object without `choices`, no padding.
"""

import json
import random
import string
from dataclasses import dataclass
from typing import Any, Protocol

from chat.lib.catalogue import Model

from .usage import Meter

Chunk = dict[str, Any]

END_OF_TURN_TOKEN_ID = 106
LONGEST_PADDING = 50
_PADDING_ALPHABET = string.ascii_lowercase + string.digits


@dataclass(frozen=True, slots=True)
class ToolCall:
    id: str
    name: str
    arguments: dict[str, Any]

    def argument_pieces(self) -> tuple[str, str]:
        """Return the arguments' JSON in two parts, as it arrives in a stream."""
        text = json.dumps(self.arguments)
        return text[: len(text) // 2], text[len(text) // 2 :]


@dataclass(frozen=True, slots=True)
class Completion:
    """A whole answer, for those who do not stream."""

    text: str
    reasoning: str
    tool_call: ToolCall | None
    finish_reason: str


class Shape(Protocol):
    """How one model's answer looks on one endpoint; every text method takes one token."""

    def opening(self) -> list[Chunk]: ...
    def text(self, token: str) -> Chunk: ...
    def reasoning(self, token: str) -> Chunk: ...
    def tool_call(self, call: ToolCall) -> list[Chunk]: ...
    def closing(self, finish_reason: str) -> list[Chunk]: ...
    def document(self, completion: Completion) -> Chunk: ...


def run_shape(meter: Meter, rng: random.Random, created: int, *, offers_tools: bool) -> Shape:
    """Return the shape the model has on /ai/run."""
    if meter.model.family == "openai":
        return OpenAIShape(meter, rng, created)
    is_dual = meter.model.family == "dual" and offers_tools
    return (DualShape if is_dual else NativeShape)(meter, rng)


class NativeShape:
    """`{"response": …}`: no finish_reason, usage only in the last object."""

    def __init__(self, meter: Meter, rng: random.Random) -> None:
        self._meter = meter
        self._rng = rng

    def opening(self) -> list[Chunk]:
        return []

    def text(self, token: str) -> Chunk:
        self._meter.take()
        chunk: Chunk = {"response": token}
        if self._meter.model.tools:
            chunk["tool_calls"] = []
        return {**chunk, "p": _padding(self._rng)}

    def reasoning(self, token: str) -> Chunk:
        self._meter.take()
        delta = {"reasoning_content": token}
        return {"choices": [{"index": 0, "delta": delta}], "p": _padding(self._rng)}

    def tool_call(self, call: ToolCall) -> list[Chunk]:
        first, second = call.argument_pieces()
        function = {"name": call.name}
        nothing = {"name": None, "arguments": ""}
        self._meter.take(3)
        return [
            {"tool_calls": [{"id": call.id, "type": "function", "index": 0, "function": function}]},
            {"tool_calls": [{"index": 0, "function": {"arguments": first}}]},
            {"tool_calls": [{"index": 0, "function": {"arguments": second}}]},
            {"tool_calls": [{"id": None, "type": None, "index": 0, "function": nothing}]},
        ]

    def closing(self, finish_reason: str) -> list[Chunk]:
        called = finish_reason == "tool_calls"
        last: Chunk = {"finish_reason": finish_reason} if called else {"response": ""}
        return [last, usage_tail(self._meter)]

    def document(self, completion: Completion) -> Chunk:
        result: Chunk = {"response": completion.text, "tool_calls": []}
        if completion.reasoning:
            result["reasoning_content"] = completion.reasoning
        if completion.tool_call:
            result["tool_calls"] = [self._whole_call(completion.tool_call)]
        return _envelope({**result, "usage": self._meter.total()})

    def _whole_call(self, call: ToolCall) -> Chunk:
        return {"name": call.name, "arguments": call.arguments}


class DualShape(NativeShape):
    """Both shapes in every text chunk, saying the same.

    Seen when tools are offered. Cloudflare's own provider for the AI SDK then reads the text twice.
    """

    def text(self, token: str) -> Chunk:
        self._meter.take()
        return {
            "choices": [{"index": 0, "delta": {"content": token}}],
            "response": token,
            "p": _padding(self._rng),
        }

    def _whole_call(self, call: ToolCall) -> Chunk:
        return _openai_call(call)


class ChatCompletionsShape:
    """OpenAI's shape on /ai/v1/chat/completions.

    Usage is incremental on every chunk, or, when the client asks for `include_usage`, the total in
    one last chunk and nowhere else: adding up what arrives gives the same sum either way.
    """

    def __init__(
        self, meter: Meter, rng: random.Random, created: int, *, include_usage: bool = False
    ) -> None:
        self._meter = meter
        self._rng = rng
        self._created = created
        self._include_usage = include_usage
        self._id = f"id-{created}{rng.randrange(1000):03}"

    def opening(self) -> list[Chunk]:
        delta = {"role": "assistant", "content": ""}
        return [self._chunk(delta, self._meter.prompt())]

    def text(self, token: str) -> Chunk:
        return self._chunk({"content": token}, self._meter.take())

    def reasoning(self, token: str) -> Chunk:
        return self._chunk(_reasoning(self._meter.model, token), self._meter.take())

    def tool_call(self, call: ToolCall) -> list[Chunk]:
        first, second = call.argument_pieces()
        start = {
            "index": 0,
            "id": call.id,
            "type": "function",
            "function": {"name": call.name, "arguments": ""},
        }
        return [
            self._chunk({"tool_calls": [part]}, self._meter.take())
            for part in (
                start,
                {"index": 0, "function": {"arguments": first}},
                {"index": 0, "function": {"arguments": second}},
            )
        ]

    def closing(self, finish_reason: str) -> list[Chunk]:
        chunks = [self._chunk({}, self._meter.nothing(), finish_reason)]
        if self._include_usage:
            chunks.append({**self._head(), "choices": [], "usage": self._meter.total()})
        return chunks

    def document(self, completion: Completion) -> Chunk:
        content = None if completion.tool_call else completion.text
        message: Chunk = {"role": "assistant", "content": content}
        if completion.reasoning:
            message.update(_reasoning(self._meter.model, completion.reasoning))
        if completion.tool_call:
            message["tool_calls"] = [_openai_call(completion.tool_call)]
        choice = {
            **self._choice(completion.finish_reason),
            "finish_reason": completion.finish_reason,
            "message": message,
        }
        return {
            **self._head("chat.completion"),
            "choices": [choice],
            "usage": self._meter.total(),
        }

    def _chunk(self, delta: Chunk, usage: Chunk, finish_reason: str | None = None) -> Chunk:
        choice = {**self._choice(finish_reason), "delta": delta, "finish_reason": finish_reason}
        chunk = {**self._head(), "choices": [choice]}
        return chunk if self._include_usage else {**chunk, "usage": usage}

    def _choice(self, finish_reason: str | None) -> Chunk:
        if self._meter.model.family != "openai":
            return {"index": 0}
        stopped = END_OF_TURN_TOKEN_ID if finish_reason == "stop" else None
        return {"index": 0, "logprobs": None, "matched_stop": stopped}

    def _head(self, kind: str = "chat.completion.chunk") -> Chunk:
        return {
            "id": self._id,
            "created": self._created,
            "model": self._meter.model.id,
            "object": kind,
        }


class OpenAIShape(ChatCompletionsShape):
    """The same on /ai/run: with padding, a chunk without choices, and the native tail."""

    def __init__(self, meter: Meter, rng: random.Random, created: int) -> None:
        super().__init__(meter, rng, created)
        self._id = f"{rng.getrandbits(128):032x}"

    def opening(self) -> list[Chunk]:
        delta = {"content": "", "reasoning_content": None, "role": "assistant"}
        return [self._chunk(delta, self._meter.prompt())]

    def text(self, token: str) -> Chunk:
        return self._chunk({"content": token, "reasoning_content": None}, self._meter.take())

    def closing(self, finish_reason: str) -> list[Chunk]:
        nothing = self._meter.nothing()
        return [
            self._chunk({"reasoning_content": None}, nothing, finish_reason),
            {**self._head(), "choices": [], "p": _padding(self._rng), "usage": nothing},
            usage_tail(self._meter),
        ]

    def document(self, completion: Completion) -> Chunk:
        return _envelope(super().document(completion))

    def _chunk(self, delta: Chunk, usage: Chunk, finish_reason: str | None = None) -> Chunk:
        chunk = super()._chunk(delta, usage, finish_reason)
        return {**chunk, "p": _padding(self._rng)}


def usage_tail(meter: Meter) -> Chunk:
    """Return the object that ends streams on /ai/run; it has no `choices` on any model."""
    return {"response": "", "usage": meter.total()}


def _padding(rng: random.Random) -> str:
    """Return noise that hides a token's length from whoever counts encrypted bytes."""
    return "".join(rng.choices(_PADDING_ALPHABET, k=rng.randint(0, LONGEST_PADDING)))


def _reasoning(model: Model, text: str) -> Chunk:
    both = {"reasoning": text} if model.reasoning_style == "both" else {}
    return {"reasoning_content": text, **both}


def _openai_call(call: ToolCall) -> Chunk:
    function = {"name": call.name, "arguments": json.dumps(call.arguments)}
    return {"id": call.id, "type": "function", "function": function}


def _envelope(result: Chunk) -> Chunk:
    return {"result": result, "success": True, "errors": [], "messages": []}
