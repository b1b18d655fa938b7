"""Store the logs of this process's running generations.

A few times a second, one transaction stores the new frames of all of them, instead of one per
token. Results are stored here too, before readers learn of them.
"""

import asyncio
import logging
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from chat.database import threads
from chat.database.errors import DatabaseUnavailable, error_for
from chat.generations.result import Result
from chat.generations.storage import checkpoint
from chat.generations.storage.checkpoint import Checkpoint, Written
from chat.generations.storage.stored_stream import stored_result
from chat.generations.task import cancellation
from chat.generations.task.task import GenerationTask
from chat.lib import metrics

log = logging.getLogger(__name__)

#: How long to wait after a flush that the database refused.
RETRY_SECONDS = 1.0


@dataclass(slots=True)
class _TrackedGeneration:
    """A generation that the log writer stores."""

    generation: GenerationTask
    base_text: str
    base_reasoning: str
    flushed: int = 0  # number of the last stored frame
    opening_stored: bool = False
    result: Result | None = None
    stored: asyncio.Future[Result] | None = None

    def checkpoint(self) -> Checkpoint | None:
        """Return what is new since the last flush; None if nothing is."""
        generation = self.generation
        last = len(generation.log)
        facts = {} if self.opening_stored else _opening(generation)
        if last == self.flushed and not self.result and not facts:
            return None
        return Checkpoint(
            generation.id,
            first_seq=self.flushed + 1,
            last_seq=last,
            frames=generation.log.page(self.flushed),
            result=self.result,
            text=self.base_text + generation.text if self.result else "",
            reasoning=self.base_reasoning + generation.reasoning if self.result else "",
            facts=facts,
        )


class LogWriter:
    """The log writer; there is one per process and event loop."""

    def __init__(self, flush_seconds: float) -> None:
        self.flush_seconds = flush_seconds
        self._last_flush_seconds = 0.0
        self._unwritten_since: float | None = None  # loop time; None: everything is written
        #: Why the last flush failed; None if it didn't. A class, because an error that is raised
        #: again and again keeps the frames, and with them the requests, of all its tracebacks.
        self.database_error: type[DatabaseUnavailable] | None = None
        self._kept: dict[UUID, _TrackedGeneration] = {}
        self._has_work = asyncio.Event()
        self._wake = asyncio.Event()

    def take(
        self, generation: GenerationTask, base_text: str = "", base_reasoning: str = ""
    ) -> None:
        """Store `generation` from now on."""
        self._kept[generation.id] = _TrackedGeneration(generation, base_text, base_reasoning)
        self._has_work.set()

    @property
    def backlog_seconds(self) -> float:
        """Return for how long text has been waiting in memory, or how long the last flush took."""
        if self._unwritten_since is None:
            return self._last_flush_seconds if self._kept else 0.0
        return asyncio.get_running_loop().time() - self._unwritten_since

    async def store_result(self, generation: GenerationTask, result: Result) -> Result:
        """Store the result; return the stored one, as another process may have ended it first."""
        kept = self._kept[generation.id]
        kept.result = result
        kept.stored = asyncio.get_running_loop().create_future()
        self._wake.set()
        return await kept.stored

    async def run(self) -> None:
        """Flush until cancelled: every `flush_seconds`, and at once for a result."""
        while True:
            if not self._kept:
                self._has_work.clear()
                await self._has_work.wait()
            with suppress(TimeoutError):
                async with asyncio.timeout(self.flush_seconds):
                    await self._wake.wait()
            self._wake.clear()
            try:
                await self.flush()
                if self._unwritten_since is not None:
                    await asyncio.sleep(RETRY_SECONDS)
            # A failed flush must not be the last one, as every answer waits for it.
            except Exception:
                log.exception("flush failed unexpectedly")
                await asyncio.sleep(self.flush_seconds)

    async def flush(self) -> None:
        """Write everything new in one transaction.

        After a database error it is written with the next flush.
        """
        new = {key: c for key, kept in self._kept.items() if (c := kept.checkpoint())}
        running = [key for key, kept in self._kept.items() if not kept.result]
        if not new and not running:
            return
        clock = asyncio.get_running_loop().time
        began = clock()
        self._unwritten_since = self._unwritten_since or began
        try:
            written = await threads.writer.run(checkpoint.write, list(new.values()), running)
        except checkpoint.DATABASE_ERRORS as error:
            log.warning("database error, text waits in memory: %s", type(error).__name__)
            unavailable = error_for(error)
            self.database_error = type(unavailable) if unavailable else None
            return
        self._unwritten_since = None
        self.database_error = None
        self._last_flush_seconds = clock() - began
        metrics.record_flush(self._last_flush_seconds)
        for key, each in new.items():
            await self._settle(self._kept[key], each, written)
        for key in written.to_stop.keys() & self._kept.keys():
            self._kept[key].generation.stop(why=cancellation.error_of(written.to_stop[key]))

    async def _settle(self, kept: _TrackedGeneration, new: Checkpoint, written: Written) -> None:
        kept.flushed = new.last_seq
        kept.opening_stored |= bool(new.facts)
        if new.generation_id in written.offenders:
            kept.generation.stop("failed")
        if new.result is None or kept.stored is None:
            return
        result = new.result
        if new.generation_id in written.offenders:
            result = await threads.writer.run(checkpoint.fail, new.generation_id, new.result)
        elif not written.ended.get(new.generation_id):
            stored = await threads.writer.run(stored_result, new.generation_id)
            result = stored or replace(new.result, is_purged=True)
        del self._kept[new.generation_id]
        if not kept.stored.done():
            kept.stored.set_result(result)


def _opening(generation: GenerationTask) -> dict[str, Any]:
    if generation.opened is None:
        return {}
    return {
        "model": generation.opened.model,
        "omitted_messages": generation.opened.omitted_messages,
        "first_token_milliseconds": generation.first_token_milliseconds,
    }
