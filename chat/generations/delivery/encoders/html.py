"""Fragments of HTML, for htmx's extension for server-sent events, which swaps each event in.

The words are escaped: what a model writes is text, also to a page that swaps it into its document.
"""

import re
from html import escape
from typing import Any

from chat.generations.delivery.encoders.base import FILTERED, Frame, FrameReader, is_filtered
from chat.generations.delivery.encoders.workers_ai import RETRY

#: The name of the last event, for `sse-close`.
DONE_EVENT = "done"
LINE_BREAK = re.compile(r"\r\n?|\n")


class HtmlEncoder:
    """Events of the default name, with ids to resume by; at the end one named `done`."""

    content_type = "text/event-stream"

    def __init__(self, id_prefix: str = "") -> None:
        self.headers: dict[str, str] = {}
        self._prefix = id_prefix
        self._reader = FrameReader()
        self._ends_in_return = False  # a line feed after it belongs to the same line break

    def opening(self, after: int, frames: bytes) -> bytes:
        # A block without data is no event, so nothing is swapped in; but the id counts.
        return RETRY + f"id: {self._prefix}{after}\n\n".encode() + self.frames(frames)

    def frames(self, frames: bytes) -> bytes:
        return b"".join(map(self._event, self._reader.read(frames)))

    def heartbeat(self) -> bytes:
        return b":\n\n"

    def ending(self) -> bytes:
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
        """`text` without the line feed of a CRLF that began in the text before."""
        if not text:
            return text
        rest = text.removeprefix("\n") if self._ends_in_return else text
        self._ends_in_return = text.endswith("\r")
        return rest
