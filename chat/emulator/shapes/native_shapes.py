"""Format answers of native models on /ai/run: `response`, or both dialects at once."""

import random
from collections.abc import Sequence
from typing import Any

from chat.emulator.common.usage import Meter
from chat.emulator.shapes.base import (
    Chunk,
    Completion,
    ToolCall,
    envelope,
    openai_call,
    padding,
    usage_tail,
)


class NativeShape:
    """The native format: `{"response": …}`, no finish_reason, usage only in the last object."""

    choice = 0

    def __init__(self, meter: Meter, rng: random.Random) -> None:
        self._meter = meter
        self._rng = rng

    def opening(self) -> list[Chunk]:
        return []

    def text(self, token: Any) -> Chunk:
        self._meter.take()
        chunk: Chunk = {"response": token}
        if self._meter.model.tools:
            chunk["tool_calls"] = []
        return {**chunk, "p": padding(self._rng)}

    def reasoning(self, token: str) -> Chunk:
        return self._delta({"reasoning_content": token})

    def refusal(self, token: str) -> Chunk:
        return self._delta({"refusal": token})

    def message(self, completion: Completion) -> list[Chunk]:
        message = {"role": "assistant", "content": completion.text}
        choice = {"index": 0, "message": message, "finish_reason": completion.finish_reason}
        return [{"choices": [choice]}]

    def tool_call(self, call: ToolCall) -> list[Chunk]:
        first, second = call.argument_pieces()
        function = {"name": call.name}
        nothing = {"name": None, "arguments": ""}
        self._meter.take(call.token_count)
        return [
            {"tool_calls": [{"id": call.id, "type": "function", "index": 0, "function": function}]},
            {"tool_calls": [{"index": 0, "function": {"arguments": first}}]},
            {"tool_calls": [{"index": 0, "function": {"arguments": second}}]},
            {"tool_calls": [{"id": None, "type": None, "index": 0, "function": nothing}]},
        ]

    def closing(self, finish_reason: str) -> Chunk:
        says_why = finish_reason not in {"stop", "length"}
        return {"finish_reason": finish_reason} if says_why else {"response": ""}

    def tail(self) -> list[Chunk]:
        return [usage_tail(self._meter)]

    def document(self, completions: Sequence[Completion]) -> Chunk:
        completion = completions[0]
        result: Chunk = {"response": completion.text, "tool_calls": []}
        if completion.reasoning:
            result["reasoning_content"] = completion.reasoning
        if completion.refusal:
            result["response"] = completion.refusal
        if completion.tool_call:
            result["tool_calls"] = [self._whole_call(completion.tool_call)]
        if completion.finish_reason not in {"stop", "length", "tool_calls"}:
            result["finish_reason"] = completion.finish_reason
        return envelope({**result, "usage": self._meter.total()})

    def _delta(self, delta: Chunk) -> Chunk:
        self._meter.take()
        return {"choices": [{"index": 0, "delta": delta}], "p": padding(self._rng)}

    def _whole_call(self, call: ToolCall) -> Chunk:
        return {"name": call.name, "arguments": call.text if call.is_cut else call.arguments}


class DualShape(NativeShape):
    """Both formats in every text chunk, with the same text.

    Observed when tools are offered. Cloudflare's own provider for the AI SDK then reads the text
    twice.
    """

    def text(self, token: Any) -> Chunk:
        self._meter.take()
        return {
            "choices": [{"index": 0, "delta": {"content": token}}],
            "response": token,
            "p": padding(self._rng),
        }

    def _whole_call(self, call: ToolCall) -> Chunk:
        return openai_call(call)
