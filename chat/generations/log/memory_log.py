"""The ordered log of one answer, in memory: frames are numbered from 1 and never change.

Readers hold a cursor, the number of the last frame they have. Reading what is there and waiting for
more are the same call, so replay and live cannot differ. Each frame's bytes are made once and
shared.
"""

import asyncio

from chat.generations.log.frames import MAX_SEND_BYTES


class Log:
    """Written by one task, read by any number on the same event loop."""

    def __init__(self) -> None:
        self.closed = False
        self.size_bytes = 0
        self.terminal_at = 0  # the last frame before the terminal ones; set by `close`
        self._frames: list[bytes] = []
        self._news: asyncio.Event | None = None  # made by the first who waits

    def __len__(self) -> int:
        """The number of the last frame."""
        return len(self._frames)

    def append(self, frame: bytes) -> None:
        self._frames.append(frame)
        self.size_bytes += len(frame)
        self.wake()

    def close(self, terminal: list[bytes]) -> None:
        """Adds the last frames; nothing comes after them."""
        self.terminal_at = len(self._frames)
        self._frames += terminal
        self.size_bytes += sum(map(len, terminal))
        self.closed = True
        self.wake()

    def read(self, after: int) -> tuple[bytes, int]:
        """Whole frames after number `after`, as many as make one send, and the new cursor."""
        if after >= len(self._frames):
            return b"", after
        end, size = after + 1, len(self._frames[after])
        while end < len(self._frames) and size + len(self._frames[end]) <= MAX_SEND_BYTES:
            size += len(self._frames[end])
            end += 1
        return b"".join(self._frames[after:end]), end

    def page(self, after: int) -> bytes:
        """All frames after number `after`, for storage."""
        return b"".join(self._frames[after:])

    async def wait(self, after: int, seconds: float) -> None:
        """Returns when there is more than `after`, at the end, or after `seconds`."""
        if len(self._frames) > after or self.closed:
            return
        self._news = news = self._news or asyncio.Event()
        try:
            async with asyncio.timeout(seconds):
                await news.wait()
        except TimeoutError:
            return

    def wake(self) -> None:
        if self._news:
            self._news.set()
            self._news = None
