"""Encode answers in Anthropic's Messages API: named events, or one message.

A stream that fails ends with an `error` event, and no `message_stop` follows.
"""

from typing import Any
from uuid import UUID

import msgspec

from chat.generations.delivery.encoders.base import INTERRUPTED, FrameReader
from chat.generations.delivery.encoders.collected_answer import finish_reason
from chat.generations.delivery.encoders.content_blocks import ContentBlocks, Events
from chat.generations.delivery.encoders.openai import usage
from chat.generations.delivery.encoders.streamed_calls import StreamedCalls
from chat.lib import trace
from chat.lib.api_formats import anthropic_errors

#: Why an answer ended, by finish reason; all others are `end_turn`.
STOP_REASONS = {"length": "max_tokens", "tool_calls": "tool_use", "content_filter": "refusal"}
#: For answers whose tokens the provider did not count.
CHARACTERS_PER_TOKEN = 4


class MessagesEncoder:
    """Encode the stream.

    `prompt_tokens` is the estimate that counts until the provider reports its own number.
    """

    content_type = "text/event-stream"

    def __init__(
        self, generation_id: UUID, model: str, prompt_tokens: int, *, shows_thinking: bool
    ) -> None:
        self.headers: dict[str, str] = {}
        self.error: dict[str, Any] | None = None
        self._reader = FrameReader()
        self._calls = StreamedCalls(generation_id)
        self._blocks = ContentBlocks(signature=generation_id.hex)
        self._shows_thinking = shows_thinking
        self._prompt_tokens = prompt_tokens
        self._request_id = trace.request_id.get()  # the request ends before its stream
        self._last: dict[str, Any] = {}
        self._head = {
            "id": f"msg_{generation_id.hex}",
            "type": "message",
            "role": "assistant",
            "model": model,
        }

    def opening(self, after: int, frames: bytes) -> bytes:
        begun = {"type": "message_start", "message": self.message()}
        return self._encoded([begun]) + self.frames(frames)

    def frames(self, frames: bytes) -> bytes:
        return b"".join(
            self._encoded(self._events(payload))
            for _seq, payload in self._reader.read(frames)
            if payload is not None
        )

    def heartbeat(self) -> bytes:
        return self._encoded([{"type": "ping"}])

    def closing(self) -> bytes:
        return self._encoded(self._failure(INTERRUPTED)) if self._reader.is_truncated else b""

    @property
    def is_whole(self) -> bool:
        return finish_reason(self._last) is not None

    def message(self) -> dict[str, Any]:
        """Return the message as far as it is known."""
        return {
            **self._head,
            "content": list(self._blocks.content),
            **self._ending(),
            "usage": self._usage(),
        }

    def _events(self, payload: dict[str, Any]) -> Events:
        if error := payload.get("error"):
            return self._failure(error)
        if reasoning := payload.get("reasoning"):
            return self._blocks.thinking(reasoning) if self._shows_thinking else []
        if call := payload.get("tool_call"):
            return self._blocks.call(self._calls.piece(call))
        if payload["response"]:
            return self._blocks.text(payload["response"])
        return self._terminal(payload) if "state" in payload else []

    def _terminal(self, payload: dict[str, Any]) -> Events:
        if finish_reason(payload) is None:
            return []
        self._last = payload
        events = self._blocks.finish(self._calls.rest(payload))
        delta = {"type": "message_delta", "delta": self._ending(), "usage": self._usage()}
        return [*events, delta, {"type": "message_stop"}]

    def _ending(self) -> dict[str, Any]:
        reason = finish_reason(self._last)
        stopped = reason and STOP_REASONS.get(reason, "end_turn")
        return {"stop_reason": stopped, "stop_sequence": None}

    def _usage(self) -> dict[str, Any]:
        """Return the tokens: at the beginning, and without the provider's count, an estimate."""
        counted = usage(self._last) or {
            "prompt_tokens": self._prompt_tokens,
            "completion_tokens": -(-self._last.get("length", 0) // CHARACTERS_PER_TOKEN),
        }
        cached = counted.get("prompt_tokens_details", {}).get("cached_tokens", 0)
        thinking = counted.get("completion_tokens_details", {}).get("reasoning_tokens")
        details = {} if thinking is None else {"thinking_tokens": thinking}
        return {
            "input_tokens": max(0, counted["prompt_tokens"] - cached),
            "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": cached,
            "output_tokens": counted["completion_tokens"],
            "output_tokens_details": details or None,
        }

    def _failure(self, error: dict[str, Any]) -> Events:
        self.error = error
        return [anthropic_errors.streamed_object(error, self._request_id)]

    def _encoded(self, events: Events) -> bytes:
        return b"".join(
            b"event: %b\ndata: %b\n\n" % (each["type"].encode(), msgspec.json.encode(each))
            for each in events
        )


class WholeMessage:
    """Collect the frames of an answer into one message."""

    def __init__(
        self, generation_id: UUID, model: str, prompt_tokens: int, *, shows_thinking: bool
    ) -> None:
        self._encoder = MessagesEncoder(
            generation_id, model, prompt_tokens, shows_thinking=shows_thinking
        )

    def take(self, frames: bytes) -> None:
        self._encoder.frames(frames)

    @property
    def is_whole(self) -> bool:
        return self._encoder.is_whole

    @property
    def error(self) -> dict[str, Any] | None:
        return self._encoder.error

    def body(self) -> dict[str, Any]:
        return self._encoder.message()
