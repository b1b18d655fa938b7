"""The ordered log of one answer in memory: frames are numbered from 1 and never change.

Readers hold a cursor, the number of the last frame they have. Reading existing frames and waiting
for new ones is the same call, so replay and live cannot differ. Each frame is encoded once and
shared.
"""

import asyncio

from chat.generations.log.frames import MAX_SEND_BYTES
from chat.lib.lazy_timeout import LazyTimeout


class Log:
    """A log with one writing task and any number of readers on the same event loop."""

    def __init__(self) -> None:
        self.closed = False
        self.size_bytes = 0
        self.terminal_at = 0  # number of the last frame before the terminal ones; set by `close`
        self._frames: list[bytes] = []
        self._waiting: list[asyncio.Future[None]] = []

    def __len__(self) -> int:
        """Return the number of the last frame."""
        return len(self._frames)

    def append(self, frames: list[bytes]) -> None:
        self._frames += frames
        for frame in frames:
            self.size_bytes += len(frame)
        self.wake()

    def close(self, terminal: list[bytes]) -> None:
        """Append the terminal frames; nothing may follow them."""
        self.terminal_at = len(self._frames)
        self._frames += terminal
        self.size_bytes += sum(map(len, terminal))
        self.closed = True
        self.wake()

    def read(self, after: int) -> tuple[bytes, int]:
        """Return complete frames after number `after`, up to one send, and the new cursor."""
        count = len(self._frames)
        if after >= count:
            return b"", after
        if after + 1 == count:
            return self._frames[after], count
        end, size = after + 1, len(self._frames[after])
        while end < count and size + len(self._frames[end]) <= MAX_SEND_BYTES:
            size += len(self._frames[end])
            end += 1
        return b"".join(self._frames[after:end]), end

    def page(self, after: int) -> bytes:
        """Return all frames after number `after`, for storage."""
        return b"".join(self._frames[after:])

    async def wait(self, after: int, seconds: float, timeout: LazyTimeout | None = None) -> None:
        """Return when there are frames after number `after`, at the end, or after `seconds`.

        Callers that wait often pass a `timeout` to reuse.
        """
        if len(self._frames) > after or self.closed:
            return
        own = timeout or LazyTimeout()
        try:
            await own.wait(self._news(), asyncio.get_running_loop().time() + seconds)
        except TimeoutError:
            return
        finally:
            if timeout is None:
                own.close()

    def wake(self) -> None:
        for each in self._waiting:
            if not each.done():
                each.set_result(None)
        self._waiting.clear()

    async def _news(self) -> None:
        waiting: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(waiting)
        try:
            await waiting
        finally:
            if waiting in self._waiting:  # cancelled
                self._waiting.remove(waiting)
