"""The stored log: pages of frames, written by flushes and read back by cursor."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from uuid import UUID

from chat.generations.models import LogPage
from chat.lib.sse import SseDecoder

#: Together they limit what a reader holds for a client that does not read. An answer may have
#: megabytes, and a fast model sends them within one flush.
MAX_PAGE_BYTES = 64 * 1024
MAX_PAGES_PER_READ = 4


@dataclass(frozen=True, slots=True)
class LoggedText:
    """The text that the frames of an answer add up to."""

    text: str
    reasoning: str
    last_seq: int


@dataclass(frozen=True, slots=True)
class FoundFrames:
    """Complete frames, the number of the last one, and whether more are stored."""

    frames: bytes
    last_seq: int
    has_more: bool


def split_into_pages(first_seq: int, frames: bytes) -> Iterator[tuple[int, int, bytes]]:
    """Yield pages of complete frames: the number of the first, of the last, and the frames.

    A frame that is larger than a page has a page to itself.
    """
    start = 0
    while start < len(frames):
        end = frames.rfind(b"\n\n", start, start + MAX_PAGE_BYTES)
        if end < 0:
            end = frames.index(b"\n\n", start)
        page = frames[start : end + 2]
        last_seq = first_seq + page.count(b"\n\n") - 1
        yield first_seq, last_seq, page
        first_seq, start = last_seq + 1, end + 2


def frames_after(generation_id: UUID, after: int) -> FoundFrames:
    """Return the frames after number `after`, up to `MAX_PAGES_PER_READ` pages of them."""
    rows = LogPage.objects.filter(generation_id=generation_id, last_seq__gt=after)
    pages = list(rows.order_by("first_seq")[: MAX_PAGES_PER_READ + 1])
    parts: list[bytes] = []
    last = after
    for page in pages[:MAX_PAGES_PER_READ]:
        parts.append(_cut(bytes(page.frames), max(0, last - page.first_seq + 1)))
        last = page.last_seq
    return FoundFrames(b"".join(parts), last, has_more=len(pages) > MAX_PAGES_PER_READ)


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
