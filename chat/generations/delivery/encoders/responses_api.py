"""Encode answers in OpenAI's Responses API: named events, or one response.

A stream that fails ends with an `error` event and `response.failed`: some clients read the one,
some the other.
"""

import time
from collections.abc import Iterator, Mapping
from typing import Any
from uuid import UUID

import msgspec

from chat.generations.delivery.encoders.base import INTERRUPTED, FrameReader
from chat.generations.delivery.encoders.called_tools import FUNCTIONS, ToolForms
from chat.generations.delivery.encoders.collected_answer import finish_reason
from chat.generations.delivery.encoders.openai import usage
from chat.generations.delivery.encoders.response_items import Events, ResponseItems
from chat.generations.delivery.encoders.streamed_calls import StreamedCalls
from chat.lib.api_formats import openai_errors
from chat.lib.sse import comment

#: Why a response is incomplete, by finish reason.
INCOMPLETE = {"length": "max_output_tokens", "content_filter": "content_filter"}
#: Codes of failed responses that clients know; all others are `server_error`.
FAILURES = frozenset({"rate_limit_exceeded", "context_length_exceeded", "insufficient_quota"})


class ResponsesEncoder:
    """Encode the stream. `echoed` are the request's own parameters, which each response repeats."""

    content_type = "text/event-stream"

    def __init__(
        self, generation_id: UUID, echoed: Mapping[str, Any], tools: ToolForms = FUNCTIONS
    ) -> None:
        self.headers: dict[str, str] = {}
        self.error: dict[str, Any] | None = None
        self._reader = FrameReader()
        self._calls = StreamedCalls(generation_id)
        self._items = ResponseItems(generation_id, tools)
        self._sequence_number = 0
        self._last: dict[str, Any] = {}
        self._head = {
            "id": f"resp_{generation_id.hex}",
            "object": "response",
            "created_at": int(time.time()),
            **echoed,
        }

    def opening(self, after: int, frames: bytes) -> bytes:
        begun = self.response("in_progress")
        kinds = ("response.created", "response.in_progress")
        return self._encoded([{"type": kind, "response": begun} for kind in kinds]) + self.frames(
            frames
        )

    def frames(self, frames: bytes) -> bytes:
        return b"".join(map(self._encoded, self.take(frames)))

    def take(self, frames: bytes) -> Iterator[Events]:
        """Yield the events of each frame."""
        for _seq, payload in self._reader.read(frames):
            if payload is not None:
                yield self._events(payload)

    def heartbeat(self) -> bytes:
        return comment()

    def closing(self) -> bytes:
        return self._encoded(self._failure(INTERRUPTED)) if self._reader.is_truncated else b""

    @property
    def is_whole(self) -> bool:
        return finish_reason(self._last) is not None

    def response(self, status: str = "") -> dict[str, Any]:
        """Return the response as far as it is known; by default with its final status."""
        reason = INCOMPLETE.get(finish_reason(self._last) or "")
        counted = usage(self._last)
        return {
            **self._head,
            "status": status or ("incomplete" if reason else "completed"),
            "error": None,
            "incomplete_details": {"reason": reason} if reason else None,
            "output": list(self._items.output),
            **({"usage": _usage(counted)} if counted else {}),
        }

    def _events(self, payload: dict[str, Any]) -> Events:
        if error := payload.get("error"):
            return self._failure(error)
        if "sources" in payload:
            return self._items.searched(payload["sources"])
        if "tool" in payload:
            return self._items.used_tool(payload["tool"])
        if reasoning := payload.get("reasoning"):
            return self._items.reasoning(reasoning)
        if call := payload.get("tool_call"):
            return self._items.call(self._calls.piece(call))
        if payload["response"]:
            return self._items.text(payload["response"])
        return self._terminal(payload) if "state" in payload else []

    def _terminal(self, payload: dict[str, Any]) -> Events:
        if finish_reason(payload) is None:
            return []
        self._last = payload
        status = self.response()["status"]
        events = self._items.finish(self._calls.rest(payload), status)
        response = self.response()
        return [*events, {"type": f"response.{response['status']}", "response": response}]

    def _failure(self, error: dict[str, Any]) -> Events:
        self.error = error
        body: dict[str, Any] = openai_errors.streamed_body(error)
        code, message = body["error"]["code"], body["error"]["message"]
        known = {"code": code if code in FAILURES else "server_error", "message": message}
        failed = {**self.response("failed"), "error": known}
        return [
            # Some clients read the error itself, others its fields beside the event's type.
            {**body["error"], **body, "type": "error"},
            {"type": "response.failed", "response": failed},
        ]

    def _encoded(self, events: Events) -> bytes:
        return b"".join(map(self._event, events))

    def _event(self, event: dict[str, Any]) -> bytes:
        data = msgspec.json.encode({**event, "sequence_number": self._sequence_number})
        self._sequence_number += 1
        return b"event: %b\ndata: %b\n\n" % (event["type"].encode(), data)


class WholeResponse:
    """Collect the frames of an answer into one response."""

    def __init__(
        self, generation_id: UUID, echoed: Mapping[str, Any], tools: ToolForms = FUNCTIONS
    ) -> None:
        self._encoder = ResponsesEncoder(generation_id, echoed, tools)

    def take(self, frames: bytes) -> None:
        for _events in self._encoder.take(frames):
            pass

    @property
    def is_whole(self) -> bool:
        return self._encoder.is_whole

    @property
    def error(self) -> dict[str, Any] | None:
        return self._encoder.error

    def body(self) -> dict[str, Any]:
        return self._encoder.response()


def _usage(counted: dict[str, Any]) -> dict[str, Any]:
    """Return token counts in the names of this API."""
    cached = counted.get("prompt_tokens_details", {}).get("cached_tokens", 0)
    reasoning = counted.get("completion_tokens_details", {}).get("reasoning_tokens", 0)
    return {
        "input_tokens": counted["prompt_tokens"],
        "input_tokens_details": {"cached_tokens": cached, "cache_write_tokens": 0},
        "output_tokens": counted["completion_tokens"],
        "output_tokens_details": {"reasoning_tokens": reasoning},
        "total_tokens": counted["total_tokens"],
    }
