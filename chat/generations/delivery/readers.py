"""Read an answer's log: complete frames from a cursor to the end; empty bytes while it is idle.

The first bytes come at once, because they carry the response headers. There are two sources with
the same interface: the memory of the process that writes the answer, or the database. A stream that
ends without `[DONE]` (the process shuts down, access was revoked) tells the client to resume.
"""

import asyncio
from collections import deque
from typing import Protocol
from uuid import UUID

from chat.database import threads
from chat.generations.log.frames import MAX_SEND_BYTES
from chat.generations.process.subscribers import Subscriber
from chat.generations.storage.checkpoint import DATABASE_ERRORS
from chat.generations.storage.stored_stream import StoredRead, read_after
from chat.generations.task import registry
from chat.generations.task.task import GenerationTask
from chat.lib.timers.lazy_timer import LazyTimer

POLL_SECONDS = 0.25
RETRY_SECONDS = 1.0  # while the database is away
WATCH_SECONDS = 1.0


class Reader(Protocol):
    """A position in the log of one answer. Close it when you stop reading."""

    async def next(self) -> bytes | None:
        """Return the next frames, empty bytes when a heartbeat is due, or None at the end."""
        ...

    def close(self) -> None: ...


class MemoryReader:
    """Read an answer of this process, each frame as soon as it is written.

    A cursor ahead of the log gets the terminal frames only.
    """

    def __init__(
        self, generation: GenerationTask, after: int, heartbeat_seconds: float, viewer: Subscriber
    ) -> None:
        self._generation, self._log, self._viewer = generation, generation.log, viewer
        self._after = self._claimed = after
        self._heartbeat_seconds, self._heartbeat_at = heartbeat_seconds, 0.0
        self._subscription = registry.subscribe(generation)
        self._loop = asyncio.get_running_loop()
        self._timer = LazyTimer(self._wake)
        self._woken: asyncio.Future[None] | None = None  # what `next` waits for
        self._log.listen(self._wake)
        viewer.wake = self._wake

    async def next(self) -> bytes | None:
        log = self._log
        while not self._viewer.left:
            if log.closed and self._claimed > log.terminal_at:
                self._after = self._claimed = log.terminal_at
            chunk, self._after = log.read(self._after)
            if chunk:
                self._postpone_heartbeat()
                return chunk
            if log.closed:
                self._generation.was_read = True
                return None
            if self._loop.time() >= self._heartbeat_at:
                self._postpone_heartbeat()
                return b""
            await self._wait()
        return None

    def close(self) -> None:
        self._log.ignore(self._wake)
        self._timer.close()
        self._subscription.close()

    async def _wait(self) -> None:
        """Return when there is something to do: frames, the end or a heartbeat."""
        self._woken = self._loop.create_future()
        self._timer.set(self._heartbeat_at)
        try:
            await self._woken
        finally:
            self._timer.clear()

    def _wake(self) -> None:
        if self._woken and not self._woken.done():
            self._woken.set_result(None)

    def _postpone_heartbeat(self) -> None:
        self._heartbeat_at = self._loop.time() + self._heartbeat_seconds


class WatchingReader:
    """Read an answer of this process for watching staff, once every `WATCH_SECONDS`.

    Tokens do not wake this reader, so it adds almost no load for the writing process; and it does
    not keep an abandoned answer alive.
    """

    def __init__(
        self, generation: GenerationTask, after: int, heartbeat_seconds: float, viewer: Subscriber
    ) -> None:
        self._log, self._viewer = generation.log, viewer
        self._after = self._claimed = after
        self._heartbeat_seconds = heartbeat_seconds
        self._clock = asyncio.get_running_loop().time
        self._heartbeat_at = 0.0

    async def next(self) -> bytes | None:
        log = self._log
        while not self._viewer.left:
            if log.closed and self._claimed > log.terminal_at:
                self._after = self._claimed = log.terminal_at
            chunk, self._after = log.read(self._after)
            if chunk or self._clock() >= self._heartbeat_at:
                self._heartbeat_at = self._clock() + self._heartbeat_seconds
                return chunk
            if log.closed:
                return None
            await asyncio.sleep(WATCH_SECONDS)
        return None

    def close(self) -> None:
        """Do nothing: a watching reader holds nothing."""


class StoredReader:
    """Read from the database, for a generation that another process runs or ran.

    While the database is away or slow, the reader is idle, with heartbeats: clients that were sent
    away could not resume anywhere.
    """

    def __init__(
        self, generation_id: UUID, after: int, heartbeat_seconds: float, viewer: Subscriber
    ) -> None:
        self._id, self._after, self._viewer = generation_id, after, viewer
        self._heartbeat_seconds = heartbeat_seconds
        self._clock = asyncio.get_running_loop().time
        self._heartbeat_at = self._clock()
        self._unsent: deque[bytes] = deque()
        self._is_over = self._has_all = False

    async def next(self) -> bytes | None:
        while not self._viewer.left:
            if self._unsent:
                return self._unsent.popleft()
            if self._is_over:
                return None
            if self._has_all:
                await asyncio.sleep(WATCH_SECONDS if self._viewer.watching else POLL_SECONDS)
            read = await self._read()
            self._after, self._is_over, self._has_all = read.after, read.is_end, not read.has_more
            self._unsent.extend(split_into_sends(read.frames))
            if read.frames or (not read.is_end and self._clock() >= self._heartbeat_at):
                self._heartbeat_at = self._clock() + self._heartbeat_seconds
                if not read.frames:
                    return b""
        return None

    async def _read(self) -> StoredRead:
        """Return what is new; nothing if the database does not answer before the next heartbeat."""
        nothing = StoredRead(b"", self._after, is_end=False)
        try:
            async with asyncio.timeout(max(RETRY_SECONDS, self._heartbeat_at - self._clock())):
                return await threads.readers.run(read_after, self._id, self._after)
        except TimeoutError:
            return nothing
        except DATABASE_ERRORS:
            await asyncio.sleep(RETRY_SECONDS)
            return nothing

    def close(self) -> None:
        """Do nothing: this reader holds nothing."""


def split_into_sends(frames: bytes) -> list[bytes]:
    """Split `frames` into sends of complete frames; an oversized frame is sent by itself."""
    if len(frames) <= MAX_SEND_BYTES:
        return [frames] if frames else []
    pieces: list[bytes] = []
    start = 0
    while len(frames) - start > MAX_SEND_BYTES:
        end = frames.rfind(b"\n\n", start, start + MAX_SEND_BYTES)
        if end < 0 and (end := frames.find(b"\n\n", start)) < 0:
            break
        pieces.append(frames[start : end + 2])
        start = end + 2
    return [*pieces, frames[start:]] if start < len(frames) else pieces
