"""The stored log: pages of frames, written by flushes and read back by cursor."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from chat.generations.models import LogPage
from chat.lib.sse import SseDecoder


@dataclass(frozen=True, slots=True)
class LoggedText:
    """The text that the frames of an answer add up to."""

    text: str
    reasoning: str
    last_seq: int


def frames_after(generation_id: UUID, after: int) -> tuple[bytes, int]:
    """Return complete frames after number `after`, and the number of the last one."""
    rows = LogPage.objects.filter(generation_id=generation_id, last_seq__gt=after)
    parts: list[bytes] = []
    last = after
    for page in rows.order_by("first_seq"):
        parts.append(_cut(bytes(page.frames), max(0, last - page.first_seq + 1)))
        last = page.last_seq
    return b"".join(parts), last


def logged_text(generation_id: UUID) -> LoggedText:
    """Return the text and reasoning of everything that was flushed."""
    rows = LogPage.objects.filter(generation_id=generation_id).order_by("first_seq")
    # Pages hold complete frames, so no frame is cut.
    return join_chunks(bytes(page.frames) for page in rows)


def join_chunks(chunks: Iterable[bytes]) -> LoggedText:
    """Decode chunks of complete frames and join their text."""
    decoder, text, reasoning, last = SseDecoder(), "", "", 0
    for chunk in chunks:
        for event in decoder.feed(chunk):
            payload = json.loads(event.data)
            text += payload["response"]
            reasoning += payload.get("reasoning", "")
            last = int(event.id)
    return LoggedText(text, reasoning, last)


def _cut(frames: bytes, count: int) -> bytes:
    """Return `frames` without the first `count`. A frame contains no blank line."""
    start = 0
    for _ in range(count):
        start = frames.index(b"\n\n", start) + 2
    return frames[start:]
