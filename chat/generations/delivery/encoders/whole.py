"""Collect an answer into one JSON object, for requests with `stream: false`.

It has the keys of the stream's events (frames.py), once each: `response` is the complete text;
`state`, `usage` and the like come from the terminal payload.
"""

from typing import Any

from chat.generations.delivery.encoders.base import FrameReader

PIECES = ("response", "reasoning")


class WholeAnswer:
    """Collect the frames of one answer."""

    def __init__(self) -> None:
        self._reader = FrameReader()
        self._pieces: dict[str, list[str]] = {name: [] for name in PIECES}
        self._rest: dict[str, Any] = {}

    def take(self, frames: bytes) -> None:
        for _seq, payload in self._reader.read(frames):
            if payload is None:
                continue
            for name in PIECES:
                self._pieces[name].append(payload.pop(name, ""))
            self._rest |= payload

    @property
    def is_whole(self) -> bool:
        """Return whether the answer is complete or was stopped by its reader."""
        return self._rest.get("state") in {"complete", "stopped"}

    @property
    def error(self) -> dict[str, Any] | None:
        return self._rest.get("error")

    @property
    def text(self) -> str:
        return "".join(self._pieces["response"])

    def body(self) -> dict[str, Any]:
        reasoning = "".join(self._pieces["reasoning"])
        thoughts = {"reasoning": reasoning} if reasoning else {}
        return {"response": self.text, **thoughts, **self._rest}
