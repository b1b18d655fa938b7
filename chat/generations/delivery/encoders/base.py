"""The interface and helpers that all wire formats share."""

from collections.abc import Iterator
from typing import Any, NamedTuple, Protocol

import msgspec
from msgspec import Raw

from chat.generations.log.frames import DONE, LOG_PROB_HEAD
from chat.lib.sse import frame

INTERRUPTED = {
    "code": "interrupted",
    "message": "The answer was interrupted.",
    "retryable": True,
}


FILTERED = "The model provider's content filter stopped this answer."


class Encoder(Protocol):
    """Encode the frames of one answer for one kind of client. One instance serves one response.

    Frames arrive in order and complete. What the methods return is complete too, and may be empty.
    """

    content_type: str
    headers: dict[str, str]

    def opening(self, after: int, frames: bytes) -> bytes:
        """Return the first bytes of the response.

        `frames` are those after number `after`, and may be empty.
        """
        ...

    def frames(self, frames: bytes) -> bytes:
        """Encode further frames."""
        ...

    def heartbeat(self) -> bytes:
        """Return bytes that keep an idle connection open."""
        ...

    def closing(self) -> bytes:
        """Return the last bytes, also if the log ended without `[DONE]`."""
        ...


class Frame(NamedTuple):
    """An event of the log: its number and its payload, which is None for `[DONE]`."""

    seq: int
    payload: dict[str, Any] | None


class FrameReader:
    """Decode the frames of one answer, as chat/generations/log/frames.py encodes them.

    An interrupted answer gets an `error` in exactly one payload: if the log contains none, it is
    added to the terminal payload, for clients that do not know states. How likely tokens were is
    left as it is: decoding 32 MB of it would keep everybody waiting.
    """

    def __init__(self) -> None:
        self._has_error = False
        self._has_end = False

    @property
    def is_truncated(self) -> bool:
        """Return whether the frames end before the answer does and contain no error."""
        return not (self._has_error or self._has_end)

    def read(self, frames: bytes) -> Iterator[Frame]:
        for block in frames.split(b"\n\n")[:-1]:
            seq, _, data = block.removeprefix(b"id: ").partition(b"\ndata: ")
            yield Frame(int(seq), None if data == DONE else self._payload(data))

    def _payload(self, data: bytes) -> dict[str, Any]:
        if data.startswith(LOG_PROB_HEAD):
            return {"response": "", "logprob": Raw(data[len(LOG_PROB_HEAD) : -1])}
        payload: dict[str, Any] = msgspec.json.decode(data)
        if payload.get("state") == "interrupted" and not self._has_error:
            payload["error"] = INTERRUPTED
        self._has_error |= "error" in payload
        self._has_end |= "state" in payload
        return payload


def is_filtered(payload: dict[str, Any]) -> bool:
    """Return whether a content filter ended this answer, although its state is `complete`."""
    return payload.get("state") == "complete" and payload.get("finish_reason") == "content_filter"


def event(payload: Any) -> bytes:
    """Encode `payload` as one server-sent event without an id."""
    return frame(msgspec.json.encode(payload))
