"""Encode and decode server-sent events, as pure functions of bytes.

Decoding follows the WHATWG standard (lines end in LF, CR or CRLF and nothing else; a BOM only
counts at the very start; an event without data is none) and works with any split of the input, even
inside a character or a line end.

A decoder holds at most `max_event_bytes` and `max_event_lines`; beyond that it raises
`EventTooLong`, after returning the events before. Its time is linear in the bytes, however they are
split.
"""

from typing import NamedTuple

BOM = b"\xef\xbb\xbf"
CR = 0x0D


class EventTooLong(ValueError):
    """An event, or an unfinished line, is longer than the decoder may hold."""


class Event(NamedTuple):
    """A dispatched event.

    `data` has its lines joined by LF, `event` is the type, `id` the last one seen.
    """

    data: str
    event: str = "message"
    id: str = ""


class SseDecoder:
    """Decode bytes into events. `retry_milliseconds` is the last valid `retry:`, if any."""

    def __init__(
        self, max_event_bytes: int = 2 * 1024 * 1024, max_event_lines: int = 20_000
    ) -> None:
        self.max_event_bytes, self.max_event_lines = max_event_bytes, max_event_lines
        self.retry_milliseconds: int | None = None
        self._rest = bytearray()  # an unfinished line
        self._started = False  # past the start, where a BOM may be
        self._skip_lf = False  # the input so far ended in CR, so that an LF belongs to it
        self._data: list[bytes] = []
        self._data_bytes = 0
        self._event = b""
        self._id = b""
        self._too_long: EventTooLong | None = None

    def feed(self, chunk: bytes) -> list[Event]:
        """Return the events that `chunk` completes.

        Raise `EventTooLong` for an oversized event, after the events before it were returned.
        """
        events: list[Event] = []
        try:
            if self._too_long:
                raise self._too_long
            for line in self._lines(chunk):
                if line:
                    self._field(line)
                elif self._data:
                    events.append(self._dispatch())
                else:
                    self._event = b""
            if len(self._rest) > self.max_event_bytes:
                raise EventTooLong(f"a line of more than {self.max_event_bytes} bytes")
        except EventTooLong as error:
            if not events:
                raise
            self._too_long = error
        return events

    def finish(self) -> Event | None:
        """Return the event that the input ended without a blank line. The standard drops it."""
        if self._too_long:
            raise self._too_long
        if self._rest:
            self._field(bytes(self._rest))
            self._rest.clear()
        return self._dispatch() if self._data else None

    def _lines(self, chunk: bytes) -> list[bytes]:
        if not self._started:
            chunk = bytes(self._rest) + chunk
            self._rest.clear()
            if len(chunk) < len(BOM) and BOM.startswith(chunk):
                self._rest += chunk
                return []
            chunk = chunk.removeprefix(BOM)
            self._started = True
        if self._skip_lf and chunk:
            self._skip_lf = False
            chunk = chunk.removeprefix(b"\n")
        if not chunk:
            return []
        if CR in chunk:
            self._skip_lf = chunk[-1] == CR
            chunk = chunk.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        head, *tail = chunk.split(b"\n")
        if not tail:
            self._rest += head
            return []
        lines = [bytes(self._rest) + head, *tail]
        self._rest[:] = lines.pop()
        return lines

    def _field(self, line: bytes) -> None:
        name, _, value = line.partition(b":")
        value = value.removeprefix(b" ")
        if name == b"data":
            self._data_bytes += len(value) + 1
            if self._data_bytes > self.max_event_bytes:
                raise EventTooLong(f"an event of more than {self.max_event_bytes} bytes")
            if len(self._data) == self.max_event_lines:
                raise EventTooLong(f"an event of more than {self.max_event_lines} lines")
            self._data.append(value)
        elif name == b"event":
            self._event = value
        elif name == b"id" and b"\0" not in value:
            self._id = value
        elif name == b"retry" and value.isdigit():
            self.retry_milliseconds = int(value[:15])

    def _dispatch(self) -> Event:
        event = Event(
            data=_text(b"\n".join(self._data)),
            event=_text(self._event) or "message",
            id=_text(self._id),
        )
        self._data, self._data_bytes, self._event = [], 0, b""
        return event


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", errors="replace")


def frame(data: bytes, event_id: int | None = None) -> bytes:
    """Encode one event. `data` is a single line (JSON, or a marker such as `[DONE]`)."""
    if event_id is None:
        return b"data: %b\n\n" % data
    return b"id: %d\ndata: %b\n\n" % (event_id, data)


def comment(text: str = "") -> bytes:
    """Encode a comment, which keeps a connection open and is ignored by every reader."""
    return f": {text}\n\n".encode() if text else b":\n\n"


def retry(milliseconds: int) -> bytes:
    """Encode the reconnection time of an EventSource, as a line to put before an event."""
    return b"retry: %d\n" % milliseconds
