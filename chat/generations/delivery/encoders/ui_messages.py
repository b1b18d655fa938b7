"""Encode answers as the AI SDK's UI message stream, which `useChat` reads by default.

https://ai-sdk.dev/docs/ai-sdk-ui/stream-protocol: a message consists of parts, of which only one is
open at a time.
"""

from collections.abc import Iterator
from typing import Any
from uuid import UUID

from chat.generations.delivery.encoders.base import INTERRUPTED, FrameReader, event
from chat.generations.log.frames import DONE
from chat.lib.sse import comment, frame

FINISH_REASONS = {"content_filter": "content-filter", "tool_calls": "tool-calls"}
KNOWN_REASONS = frozenset({"stop", "length", "content-filter", "tool-calls"})
PARTS = {"reasoning": "reasoning", "response": "text"}


class UIMessageEncoder:
    """Encode the stream from its beginning.

    A resumed stream starts over too, and the SDK replaces its message.
    """

    content_type = "text/event-stream"

    def __init__(self, generation_id: UUID) -> None:
        self.headers = {"x-vercel-ai-ui-message-stream": "v1"}
        self._message_id = f"msg-{generation_id.hex}"
        self._reader = FrameReader()
        self._open = ""  # kind of the open part, if any
        self._count = 0

    def opening(self, after: int, frames: bytes) -> bytes:
        start = event({"type": "start", "messageId": self._message_id})
        return start + event({"type": "start-step"}) + self.frames(frames)

    def frames(self, frames: bytes) -> bytes:
        return b"".join(
            frame(DONE) if payload is None else b"".join(map(event, self._chunks(payload)))
            for _seq, payload in self._reader.read(frames)
        )

    def heartbeat(self) -> bytes:
        return comment()

    def closing(self) -> bytes:
        return b"".join(map(event, self._fail(INTERRUPTED))) if self._reader.is_truncated else b""

    def _chunks(self, payload: dict[str, Any]) -> Iterator[dict[str, Any]]:
        for key, kind in PARTS.items():
            if words := payload.get(key):
                yield from self._begin(kind)
                yield {"type": f"{kind}-delta", "id": self._part_id, "delta": words}
        if error := payload.get("error"):
            yield from self._fail(error)
        elif "state" in payload:
            yield from self._end()
            yield from _finish(payload)

    def _fail(self, error: dict[str, Any]) -> Iterator[dict[str, Any]]:
        yield from self._end()
        yield {"type": "error", "errorText": error["message"]}

    def _begin(self, kind: str) -> Iterator[dict[str, Any]]:
        if self._open == kind:
            return
        yield from self._end()
        self._open, self._count = kind, self._count + 1
        yield {"type": f"{kind}-start", "id": self._part_id}

    def _end(self) -> Iterator[dict[str, Any]]:
        if self._open:
            yield {"type": f"{self._open}-end", "id": self._part_id}
        self._open = ""

    @property
    def _part_id(self) -> str:
        return str(self._count)


def _finish(payload: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the closing events. A failed answer has already sent its `error` and gets none."""
    if payload["state"] == "stopped":
        yield {"type": "abort", "reason": "stopped"}
    elif payload["state"] == "complete":
        reported = payload.get("finish_reason") or "stop"
        reason = FINISH_REASONS.get(reported, reported)
        yield {"type": "finish-step"}
        yield {"type": "finish", "finishReason": reason if reason in KNOWN_REASONS else "other"}
