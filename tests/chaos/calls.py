"""One request as recorded by the upstream, and how much of the answer it had sent when."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class Call:
    """Times are of the machine's monotonic clock, which all its processes share."""

    mark: str
    number: int  # of the calls with this mark, from 1
    began_at: float
    witnessed: bool | None = None  # was the question stored by then? None: not looked
    status: int = 0
    writes: list[tuple[float, bytes]] = field(default_factory=list)
    ended_at: float = 0.0  # when the answer had been written; 0: never
    closed_at: float = 0.0  # when the site ended the connection before that; 0: it did not

    @property
    def tokens(self) -> list[tuple[float, str]]:
        """Each text whose whole event was handed to the socket, with the time of its last byte."""
        return list(self._tokens())

    def text_until(self, moment: float = float("inf")) -> str:
        """What had left, in whole events, by `moment`."""
        return "".join(text for at, text in self._tokens() if at <= moment)

    @property
    def text_at_most(self) -> str:
        """All text that a reader may take from these bytes, with an event that lacks its end."""
        rest = b"".join(data for _, data in self.writes).rpartition(b"\n\n")[2]
        return self.text_until() + _response(rest)

    def _tokens(self) -> Iterator[tuple[float, str]]:
        held = b""
        for at, data in self.writes:
            *events, held = (held + data).split(b"\n\n")
            for event in events:
                if text := _response(event):
                    yield at, text


def _response(event: bytes) -> str:
    """Our own reading of what our own upstream writes: one line of JSON per event."""
    try:
        value: Any = json.loads(event.removeprefix(b"data: "))
    except ValueError:  # a comment, [DONE], or half an event
        return ""
    return str(value.get("response", "")) if isinstance(value, dict) else ""
