"""Encode answers as HTML fragments for the server-sent events extension of htmx.

The text is escaped: model output is untrusted, even in a page that swaps it into its document.
"""

import re
from html import escape
from typing import Any

from chat.generations.delivery.encoders.base import FILTERED, Frame, FrameReader, is_filtered
from chat.generations.delivery.encoders.workers_ai import RETRY

#: Name of the last event, for `sse-close`.
DONE_EVENT = "done"
LINE_BREAK = re.compile(r"\r\n?|\n")


class HtmlEncoder:
    """Encode events of the default name, with ids to resume from, and a final one named `done`."""

    content_type = "text/event-stream"

    def __init__(self, id_prefix: str = "") -> None:
        self.headers: dict[str, str] = {}
        self._prefix = id_prefix
        self._reader = FrameReader()
        self._ends_in_return = False  # a line feed that follows belongs to the same line break

    def opening(self, after: int, frames: bytes) -> bytes:
        # A block without data is not dispatched, so nothing is swapped in, but its id is
        # remembered.
        return RETRY + f"id: {self._prefix}{after}\n\n".encode() + self.frames(frames)

    def frames(self, frames: bytes) -> bytes:
        return b"".join(map(self._event, self._reader.read(frames)))

    def heartbeat(self) -> bytes:
        return b":\n\n"

    def closing(self) -> bytes:
        return b""

    def _event(self, frame: Frame) -> bytes:
        place = f"id: {self._prefix}{frame.seq}\n"
        if frame.payload is None:
            return f"{place}event: {DONE_EVENT}\ndata: \n\n".encode()
        fragment = self._fragment(frame.payload)
        return f"{place}data: {fragment}\n\n".encode() if fragment else b""

    def _fragment(self, payload: dict[str, Any]) -> str:
        if error := payload.get("error"):
            return f'<p role="alert">{escape(error["message"])}</p>'
        if is_filtered(payload):
            return f'<p role="alert">{escape(FILTERED)}</p>'
        return LINE_BREAK.sub("<br>", escape(self._without_half_break(payload["response"])))

    def _without_half_break(self, text: str) -> str:
        """Return `text` without a line feed that completes a CRLF begun in the previous text."""
        if not text:
            return text
        rest = text.removeprefix("\n") if self._ends_in_return else text
        self._ends_in_return = text.endswith("\r")
        return rest
