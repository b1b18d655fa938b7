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
from chat.generations.storage.stored_stream import StoredRead, read_after
from chat.generations.task import registry
from chat.generations.task.task import GenerationTask
from chat.lib.alarm import Alarm

POLL_SECONDS = 0.25
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
        self._heartbeat_seconds = heartbeat_seconds
        self._subscription = registry.subscribe(generation)
        self._clock = asyncio.get_running_loop().time
        self._alarm = Alarm()
        self._has_begun = False
        viewer.wake = self._log.wake

    async def next(self) -> bytes | None:
        log = self._log
        heartbeat_at = self._clock() + self._heartbeat_seconds if self._has_begun else 0.0
        self._has_begun = True
        while not self._viewer.left:
            if log.closed and self._claimed > log.terminal_at:
                self._after = self._claimed = log.terminal_at
            chunk, self._after = log.read(self._after)
            if chunk:
                return chunk
            if log.closed:
                self._generation.was_read = True
                return None
            if self._clock() >= heartbeat_at:
                return b""
            news = log.news()
            self._alarm.watch(news, heartbeat_at)
            await news
        return None

    def close(self) -> None:
        self._alarm.close()
        self._subscription.close()


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
    """Read from the database, for a generation that another process runs or ran."""

    def __init__(
        self, generation_id: UUID, after: int, heartbeat_seconds: float, viewer: Subscriber
    ) -> None:
        self._id, self._after, self._viewer = generation_id, after, viewer
        self._heartbeat_seconds = heartbeat_seconds
        self._clock = asyncio.get_running_loop().time
        self._heartbeat_at = self._clock()
        self._unsent: deque[bytes] = deque()
        self._is_over = self._has_read = False

    async def next(self) -> bytes | None:
        while not self._viewer.left:
            if self._unsent:
                return self._unsent.popleft()
            if self._is_over:
                return None
            if self._has_read:
                await asyncio.sleep(WATCH_SECONDS if self._viewer.watching else POLL_SECONDS)
            read: StoredRead = await threads.readers.run(read_after, self._id, self._after)
            self._after, self._is_over, self._has_read = read.after, read.is_end, True
            self._unsent.extend(sends(read.frames))
            if read.frames or (not read.is_end and self._clock() >= self._heartbeat_at):
                self._heartbeat_at = self._clock() + self._heartbeat_seconds
                if not read.frames:
                    return b""
        return None

    def close(self) -> None:
        """Do nothing: this reader holds nothing."""


def sends(frames: bytes) -> list[bytes]:
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
