"""Encode answers as OpenAI's text completions, the older format without messages."""

from typing import Any
from uuid import UUID

from chat.generations.delivery.encoders.base import event
from chat.generations.delivery.encoders.openai import OpenAICompletion
from chat.generations.delivery.encoders.openai_api import OpenAIApiEncoder
from chat.lib.sse import comment


class TextCompletionEncoder(OpenAIApiEncoder):
    """Encode the stream. Reasoning is left out, because the format has no place for it."""

    def __init__(self, generation_id: UUID, model: str, *, include_usage: bool = False) -> None:
        super().__init__(generation_id, model, include_usage=include_usage)
        self._head |= _head(generation_id)

    def opening(self, after: int, frames: bytes) -> bytes:
        return self.frames(frames) or comment()

    def _chunk(self, delta: dict[str, Any], finish_reason: str | None = None) -> bytes:
        text = delta.get("content", "")
        if not text and finish_reason is None:
            return b""
        return event({**self._head, "choices": [_choice(text, finish_reason)]})


class TextCompletion(OpenAICompletion):
    """Collect the frames of an answer into one text completion."""

    def body(self) -> dict[str, Any]:
        body = super().body()
        (choice,) = body["choices"]
        text = choice["message"]["content"] or ""
        choices = [_choice(text, choice["finish_reason"])]
        return {**body, **_head(self._generation_id), "choices": choices}


def _head(generation_id: UUID) -> dict[str, str]:
    return {"id": f"cmpl-{generation_id.hex}", "object": "text_completion"}


def _choice(text: str, finish_reason: str | None) -> dict[str, Any]:
    return {"index": 0, "text": text, "logprobs": None, "finish_reason": finish_reason}
