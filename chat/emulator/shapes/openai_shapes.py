"""Format answers as OpenAI does: on /ai/v1/chat/completions, and for some models on /ai/run."""

import random
from collections.abc import Sequence
from typing import Any

from chat.emulator.common import tokens
from chat.emulator.common.usage import Meter
from chat.emulator.shapes.base import (
    Chunk,
    Completion,
    ToolCall,
    envelope,
    openai_call,
    padding,
    reasoning_of,
    usage_tail,
)

END_OF_TURN_TOKEN_ID = 106


class ChatCompletionsShape:
    """OpenAI's format on /ai/v1/chat/completions.

    Usage is incremental on every chunk or, if the client requests `include_usage`, the total in one
    last chunk and nowhere else: adding up what arrives gives the same sum either way.
    """

    def __init__(
        self, meter: Meter, rng: random.Random, created: int, *, include_usage: bool = False
    ) -> None:
        self.choice = 0
        self._meter = meter
        self._rng = rng
        self._created = created
        self._include_usage = include_usage
        self._id = f"id-{created}{rng.randrange(1000):03}"

    def opening(self) -> list[Chunk]:
        delta = {"role": "assistant", "content": ""}
        return [self._chunk(delta, self._prompt_usage())]

    def _prompt_usage(self) -> Chunk:
        """Return the usage of the prompt for the first of several answers, else nothing."""
        return self._meter.nothing() if self.choice else self._meter.prompt()

    def text(self, token: Any) -> Chunk:
        return self._chunk({"content": token}, self._meter.take())

    def reasoning(self, token: str) -> Chunk:
        return self._chunk(reasoning_of(self._meter.model, token), self._meter.take())

    def refusal(self, token: str) -> Chunk:
        return self._chunk({"refusal": token}, self._meter.take())

    def message(self, completion: Completion) -> list[Chunk]:
        return [{**self._head(), "choices": [self._whole_choice(completion)]}]

    def tool_call(self, call: ToolCall) -> list[Chunk]:
        first, second = call.argument_pieces()
        first_count = tokens.count(first)
        second_count = call.token_count - 1 - first_count
        start = {
            "index": 0,
            "id": call.id,
            "type": "function",
            "function": {"name": call.name, "arguments": ""},
        }
        return [
            self._chunk({"tool_calls": [part]}, self._meter.take(count))
            for part, count in (
                (start, 1),
                ({"index": 0, "function": {"arguments": first}}, first_count),
                ({"index": 0, "function": {"arguments": second}}, second_count),
            )
        ]

    def closing(self, finish_reason: str) -> Chunk:
        return self._chunk({}, self._meter.nothing(), finish_reason)

    def tail(self) -> list[Chunk]:
        if not self._include_usage:
            return []
        return [{**self._head(), "choices": [], "usage": self._meter.total()}]

    def document(self, completions: Sequence[Completion]) -> Chunk:
        choices = []
        for self.choice, completion in enumerate(completions):
            choices.append(self._whole_choice(completion))
        head = self._head("chat.completion")
        return {**head, "choices": choices, "usage": self._meter.total()}

    def _whole_choice(self, completion: Completion) -> Chunk:
        content = None if completion.tool_call or completion.refusal else completion.text
        message: Chunk = {"role": "assistant", "content": content}
        if completion.reasoning:
            message.update(reasoning_of(self._meter.model, completion.reasoning))
        if completion.refusal:
            message["refusal"] = completion.refusal
        if completion.tool_call:
            message["tool_calls"] = [openai_call(completion.tool_call)]
        reason = completion.finish_reason
        return {**self._choice(reason), "finish_reason": reason, "message": message}

    def _chunk(self, delta: Chunk, usage: Chunk, finish_reason: str | None = None) -> Chunk:
        choice = {**self._choice(finish_reason), "delta": delta, "finish_reason": finish_reason}
        chunk = {**self._head(), "choices": [choice]}
        return chunk if self._include_usage else {**chunk, "usage": usage}

    def _choice(self, finish_reason: str | None) -> Chunk:
        if self._meter.model.family != "openai":
            return {"index": self.choice}
        stopped = END_OF_TURN_TOKEN_ID if finish_reason == "stop" else None
        return {"index": self.choice, "logprobs": None, "matched_stop": stopped}

    def _head(self, kind: str = "chat.completion.chunk") -> Chunk:
        return {
            "id": self._id,
            "created": self._created,
            "model": self._meter.model.id,
            "object": kind,
        }


class OpenAIShape(ChatCompletionsShape):
    """OpenAI's format on /ai/run: with padding, a chunk without choices, and the native tail."""

    def __init__(self, meter: Meter, rng: random.Random, created: int) -> None:
        super().__init__(meter, rng, created)
        self._id = f"{rng.getrandbits(128):032x}"

    def opening(self) -> list[Chunk]:
        delta = {"content": "", "reasoning_content": None, "role": "assistant"}
        return [self._chunk(delta, self._prompt_usage())]

    def text(self, token: Any) -> Chunk:
        return self._chunk({"content": token, "reasoning_content": None}, self._meter.take())

    def closing(self, finish_reason: str) -> Chunk:
        return self._chunk({"reasoning_content": None}, self._meter.nothing(), finish_reason)

    def tail(self) -> list[Chunk]:
        nothing = self._meter.nothing()
        return [
            {**self._head(), "choices": [], "p": padding(self._rng), "usage": nothing},
            usage_tail(self._meter),
        ]

    def document(self, completions: Sequence[Completion]) -> Chunk:
        return envelope(super().document(completions))

    def _chunk(self, delta: Chunk, usage: Chunk, finish_reason: str | None = None) -> Chunk:
        chunk = super()._chunk(delta, usage, finish_reason)
        return {**chunk, "p": padding(self._rng)}
