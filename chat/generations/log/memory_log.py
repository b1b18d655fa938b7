"""The ordered log of one answer in memory: frames are numbered from 1 and never change.

Readers hold a cursor, the number of the last frame they have. Reading existing frames and waiting
for new ones is the same call, so replay and live cannot differ. Each frame is encoded once and
shared. All but the newest frames are compressed, because few readers ask for them.
"""

import asyncio
import zlib
from collections.abc import Callable
from functools import partial

from chat.generations.log.frames import MAX_SEND_BYTES

#: Frames per compressed page. A live reader needs none of them, a new one all.
PAGE_FRAMES = 64
#: Compressing 64 tokens takes less time than relaying one. Pages of long frames are stored as they
#: are, because compressing a megabyte would hold the event loop.
COMPRESSION_LEVEL, MAX_COMPRESSED_BYTES = 1, 64 * 1024

Listener = Callable[[], None]


class Log:
    """A log with one writing task and any number of readers on the same event loop."""

    def __init__(self) -> None:
        self.closed = False
        self.size_bytes = 0  # as held in memory
        self.terminal_at = 0  # number of the last frame before the terminal ones; set by `close`
        self._pages: list[bytes] = []  # of `PAGE_FRAMES` frames each
        self._frames: list[bytes] = []  # those after the pages
        self._paged = 0  # number of the last frame on a page
        self._listeners: list[Listener] = []

    def __len__(self) -> int:
        """Return the number of the last frame."""
        return self._paged + len(self._frames)

    def append(self, frames: list[bytes]) -> None:
        self._frames += frames
        for frame in frames:
            self.size_bytes += len(frame)
        if len(self._frames) >= 2 * PAGE_FRAMES:
            self._turn_page()
        self._tell()

    def close(self, terminal: list[bytes]) -> None:
        """Append the terminal frames; nothing may follow them."""
        self.terminal_at = len(self)
        self._frames += terminal
        self.size_bytes += sum(map(len, terminal))
        self.closed = True
        self._tell()

    def read(self, after: int) -> tuple[bytes, int]:
        """Return complete frames after number `after`, up to one send, and the new cursor."""
        count = len(self._frames)
        start = after - self._paged
        if start >= count:
            return b"", after
        if start + 1 == count:
            return self._frames[-1], after + 1
        frames = self._frames[start:] if start >= 0 else self._page_of(after)
        end, size = 1, len(frames[0])
        while end < len(frames) and size + len(frames[end]) <= MAX_SEND_BYTES:
            size += len(frames[end])
            end += 1
        return b"".join(frames[:end]), after + end

    def page(self, after: int) -> bytes:
        """Return all frames after number `after`, for storage."""
        parts = []
        while after < self._paged:
            frames = self._page_of(after)
            after += len(frames)
            parts += frames
        return b"".join([*parts, *self._frames[after - self._paged :]])

    async def wait(self, after: int, seconds: float) -> None:
        """Return when there are frames after number `after`, at the end, or after `seconds`."""
        if len(self) > after or self.closed:
            return
        loop = asyncio.get_running_loop()
        woken: asyncio.Future[None] = loop.create_future()
        wake = partial(_set, woken)
        timer = loop.call_later(seconds, wake)
        self.listen(wake)
        try:
            await woken
        finally:
            self.ignore(wake)
            timer.cancel()

    def listen(self, listener: Listener) -> None:
        """Call `listener` whenever something has been appended. It must not raise or wait."""
        self._listeners.append(listener)

    def ignore(self, listener: Listener) -> None:
        """Do not call `listener` any more."""
        self._listeners.remove(listener)

    def _tell(self) -> None:
        for each in self._listeners:
            each()

    def _turn_page(self) -> None:
        """Compress the older frames; the newer ones stay, for readers that are a bit behind."""
        frames = b"".join(self._frames[:PAGE_FRAMES])
        is_short = len(frames) <= MAX_COMPRESSED_BYTES
        page = zlib.compress(frames, COMPRESSION_LEVEL if is_short else 0)
        self._pages.append(page)
        del self._frames[:PAGE_FRAMES]
        self._paged += PAGE_FRAMES
        self.size_bytes += len(page) - len(frames)

    def _page_of(self, after: int) -> list[bytes]:
        """Return the frames after number `after` on its page. A frame contains no blank line."""
        number, start = divmod(after, PAGE_FRAMES)
        frames = zlib.decompress(self._pages[number]).split(b"\n\n")[start:-1]
        return [frame + b"\n\n" for frame in frames]


def _set(waiting: "asyncio.Future[None]") -> None:
    if not waiting.done():
        waiting.set_result(None)
