"""What every wire format has in common."""

from collections.abc import Iterator
from typing import Any, NamedTuple, Protocol

import msgspec

from chat.generations.log.frames import DONE
from chat.lib.sse import frame

INTERRUPTED = {
    "code": "interrupted",
    "message": "The answer was interrupted.",
    "retryable": True,
}


FILTERED = "A content filter of the model's service stopped this answer."


class Encoder(Protocol):
    """Turns the frames of one answer into what one client reads. One instance serves one response.

    Frames arrive in order and whole. What is returned is whole, too, and may be empty.
    """

    content_type: str
    headers: dict[str, str]

    def opening(self, after: int, frames: bytes) -> bytes:
        """The first bytes of the response: `frames` after number `after`, or nothing yet."""
        ...

    def frames(self, frames: bytes) -> bytes:
        """More of the answer."""
        ...

    def heartbeat(self) -> bytes:
        """What keeps a silent connection open."""
        ...

    def ending(self) -> bytes:
        """The last bytes; also where the log broke off without `[DONE]`."""
        ...


class Frame(NamedTuple):
    """One event of the log: its number and its payload, which is None for `[DONE]`."""

    seq: int
    payload: dict[str, Any] | None


class FrameReader:
    """Reads the frames of one answer, as chat/generations/log/frames.py wrote them.

    An answer that was cut short has an `error` in exactly one of its payloads: where the log tells
    of none, the terminal payload gets one, for clients that know no states.
    """

    def __init__(self) -> None:
        self._has_error = False
        self._has_end = False

    @property
    def broke_off(self) -> bool:
        """Whether the frames stop before the answer's end, with no error among them."""
        return not (self._has_error or self._has_end)

    def read(self, frames: bytes) -> Iterator[Frame]:
        for block in frames.split(b"\n\n")[:-1]:
            seq, _, data = block.removeprefix(b"id: ").partition(b"\ndata: ")
            yield Frame(int(seq), None if data == DONE else self._payload(data))

    def _payload(self, data: bytes) -> dict[str, Any]:
        payload: dict[str, Any] = msgspec.json.decode(data)
        if payload.get("state") == "interrupted" and not self._has_error:
            payload["error"] = INTERRUPTED
        self._has_error |= "error" in payload
        self._has_end |= "state" in payload
        return payload


def is_filtered(payload: dict[str, Any]) -> bool:
    """Whether this ends an answer that looks whole, and is not: a content filter has ended it."""
    return payload.get("state") == "complete" and payload.get("finish_reason") == "content_filter"


def event(payload: Any) -> bytes:
    """`payload` as one server-sent event, without an id."""
    return frame(msgspec.json.encode(payload))
