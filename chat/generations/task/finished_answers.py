"""Keep finished answers in memory for a while, for readers that come late or again."""

import asyncio
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from itertools import chain

from django.conf import settings

from chat.generations.task.task import GenerationTask

#: Memory for all of them; the oldest are dropped first.
KEPT_BYTES = 64 * 1024 * 1024
#: What an answer takes besides its frames.
ANSWER_BYTES = 6 * 1024
#: A stored answer can be read from the database, so few readers need it in memory.
STORED_SECONDS = 60.0


@dataclass(slots=True)
class _Kept:
    generation: GenerationTask
    until: float  # loop time
    size_bytes: int


class FinishedAnswers:
    """Calls `forget` with the id of each answer that is no longer kept."""

    def __init__(self, forget: Callable[[uuid.UUID], object]) -> None:
        self._forget = forget
        self._stored: dict[uuid.UUID, _Kept] = {}  # the oldest first
        self._temporary: dict[uuid.UUID, _Kept] = {}
        self._bytes = 0
        self._timer: asyncio.TimerHandle | None = None

    def __len__(self) -> int:
        return len(self._stored) + len(self._temporary)

    def add(self, generation: GenerationTask) -> None:
        loop = asyncio.get_running_loop()
        seconds, kept = float(settings.LOG_KEEP_SECONDS), self._temporary
        if generation.is_stored:
            seconds, kept = min(seconds, STORED_SECONDS), self._stored
        size = generation.log.size_bytes + ANSWER_BYTES
        until = loop.time() + seconds
        kept[generation.id] = _Kept(generation, until, size)
        self._bytes += size
        while self._bytes > KEPT_BYTES:
            self._drop(next(chain(self._stored, self._temporary)))
        if not self._timer or until < self._timer.when():
            self._wait()

    def clear(self) -> None:
        if self._timer:
            self._timer.cancel()
        for kept in (self._stored, self._temporary):
            kept.clear()
        self._timer, self._bytes = None, 0

    def _wait(self) -> None:
        """One timer for all: one for each answer would take as much memory as a short answer."""
        if self._timer:
            self._timer.cancel()
        due = [kept[next(iter(kept))].until for kept in (self._stored, self._temporary) if kept]
        loop = asyncio.get_running_loop()
        self._timer = loop.call_at(min(due), self._drop_due) if due else None

    def _drop_due(self) -> None:
        now = asyncio.get_running_loop().time()
        for kept in (self._stored, self._temporary):
            while kept and kept[first := next(iter(kept))].until <= now:
                self._drop(first)
        self._wait()

    def _drop(self, generation_id: uuid.UUID) -> None:
        for kept in (self._stored, self._temporary):
            if answer := kept.pop(generation_id, None):
                self._bytes -= answer.size_bytes
                self._forget(generation_id)
