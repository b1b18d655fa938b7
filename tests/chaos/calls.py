"""One request as recorded by the upstream, and how much of the answer it had sent when."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class Call:
    """A recorded call. Times are of the machine's monotonic clock, which all processes share."""

    mark: str
    number: int  # among the calls with this mark, from 1
    began_at: float
    witnessed: bool | None = None  # whether the question was stored by then; None: not checked
    status: int = 0
    writes: list[tuple[float, bytes]] = field(default_factory=list)
    ended_at: float = 0.0  # when the answer was completely written; 0: never
    closed_at: float = 0.0  # when the site closed the connection before that; 0: never

    @property
    def tokens(self) -> list[tuple[float, str]]:
        """Return each text whose whole event was written to the socket, with the time of its last byte."""
        return list(self._tokens())

    def text_until(self, moment: float = float("inf")) -> str:
        """Return the text of all whole events written by `moment`."""
        return "".join(text for at, text in self._tokens() if at <= moment)

    @property
    def text_at_most(self) -> str:
        """Return all text that a reader may find in these bytes, including an unterminated event."""
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
    """Return the text of an event of our upstream, which is one line of JSON."""
    try:
        value: Any = json.loads(event.removeprefix(b"data: "))
    except ValueError:  # a comment, [DONE], or half an event
        return ""
    return str(value.get("response", "")) if isinstance(value, dict) else ""
