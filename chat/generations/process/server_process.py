"""Run a server process: start it, keep it alive, and shut it down in order.

On start it closes the generations that dead processes left. While it runs it stores logs, writes
its heartbeat, looks for dead processes, and checks whether the principals behind open streams still
have access. On SIGTERM it drains: it takes no new work, and what runs goes on to its end, for at
most `DRAIN_SECONDS`. Then it shuts down: readers end without `[DONE]` (their clients reconnect),
answers that still run are stored as `interrupted`, and the process exits within seconds.
"""

import asyncio
import logging
import math
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import Any
from uuid import UUID

from django.conf import settings

from chat.conversations.branches import remove_deleted
from chat.conversations.retention import expiry
from chat.database import threads
from chat.database.housekeeping import isolated_task
from chat.generations.billing import charging
from chat.generations.deletion import purge
from chat.generations.models import Worker
from chat.generations.process import workers
from chat.generations.process.loop_lag import LoopLag
from chat.generations.process.readiness_checks import ReadinessChecks
from chat.generations.process.round_robin import BETWEEN_BATCHES_SECONDS, run_round_robin
from chat.generations.process.subscribers import Subscribers
from chat.generations.result import Result
from chat.generations.storage.checkpoint import DATABASE_ERRORS
from chat.generations.storage.log_writer import LogWriter
from chat.generations.task import registry
from chat.lib.steady_clock import while_steady
from chat.site_settings import stored_settings
from chat.tools.mcp import servers
from chat.upstream import factory
from chat.upstream.catalogue import current as current_catalogue
from chat.widget_sites import cleanup

log = logging.getLogger(__name__)

CLEAN_UP_SECONDS = 60.0
PURGE_SECONDS = 5.0
CLOSE_ORPHANS_SECONDS = BACKGROUND_JOBS_SECONDS = NETWORK_JOBS_SECONDS = 2.0
RETENTION_SECONDS = 600.0
STORE_SECONDS = 4.0  # for what was interrupted
DRAIN_CHECK_SECONDS = 0.1
UNREGISTER_SECONDS = 1.0

#: Hooks of other packages, run every `CLEAN_UP_SECONDS`. They must be quick. One that fails is run
#: again next time. None runs for a while after the clock was set, but for those that end nothing.
periodic_tasks: list[Callable[[], object]] = []
tasks_at_any_time: list[Callable[[], object]] = []
#: Hooks of other packages, run every `BACKGROUND_JOBS_SECONDS`, one small step each. They return
#: True if there is more to do at once.
background_jobs: list[Callable[[], bool]] = []
#: Hooks of other packages that send requests, each run every `NETWORK_JOBS_SECONDS`.
network_jobs: list[Callable[[], Awaitable[None]]] = []


class ServerProcess:
    """A server process on one event loop."""

    def __init__(self) -> None:
        self.log_writer = LogWriter(settings.FLUSH_SECONDS)
        self.subscribers = Subscribers(settings.MAX_STREAMS_PER_PERSON)
        self.loop_lag = LoopLag()
        self.readiness_checks = ReadinessChecks()
        self.draining = False  # /readyz says that no new work should be sent
        self.refuses_work = False  # a moment later
        self.shutting_down = False  # streams end, finished or not
        self.worker: Worker | None = None
        self.starting: set[asyncio.Task[Any]] = set()  # sends that are being stored
        self.unsettled: dict[UUID, Result] = {}  # temporary answers whose cost is not stored yet
        self._settling = asyncio.Lock()
        self._unsettled_at = 0.0  # loop time at which storing costs failed last
        self._beat_at = 0.0  # loop time of the last heartbeat
        self._silent_until = -math.inf  # loop time at which heartbeats began again after a gap
        self._ready = asyncio.Lock()
        self._shutdown: asyncio.Task[None] | None = None
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        """Prepare to run generations. The first call does the work; later ones wait for it."""
        async with self._ready:
            if self.worker:
                return
            for configuration in (stored_settings, current_catalogue, servers):
                await threads.readers.run(configuration.refresh)
            if closed := await threads.writer.run(workers.close_orphans):
                log.warning("closed %d answers that a dead process left unfinished", closed)
            self.worker = await threads.writer.run(workers.register)
            self._beat_at = asyncio.get_running_loop().time()
            self._tasks = [
                asyncio.create_task(self.log_writer.run()),
                asyncio.create_task(self.loop_lag.run()),
                asyncio.create_task(_every(workers.BEAT_SECONDS, self._beat)),
                asyncio.create_task(_every(CLOSE_ORPHANS_SECONDS, self._close_orphans)),
                asyncio.create_task(_every(CLEAN_UP_SECONDS, self._clean_up)),
                asyncio.create_task(_every(PURGE_SECONDS, while_steady(self._purge))),
                asyncio.create_task(_every(BACKGROUND_JOBS_SECONDS, self._run_background_jobs)),
                *(
                    # One that waits for somebody's server must not delay the others.
                    asyncio.create_task(_every(NETWORK_JOBS_SECONDS, partial(_run_job, job)))
                    for job in network_jobs
                ),
                asyncio.create_task(_every(RETENTION_SECONDS, while_steady(_expire))),
                asyncio.create_task(
                    _every(settings.STREAM_REAUTH_SECONDS, self.subscribers.recheck)
                ),
            ]

    def close_streams(self) -> None:
        """End open streams, so that clients reconnect elsewhere, and refuse new generations."""
        self.draining = self.refuses_work = self.shutting_down = True
        self.subscribers.disconnect()

    async def drain(self) -> None:
        """Take no new work, and return when what runs has ended, or after `DRAIN_SECONDS`.

        Answers are written to their end and read to it by those who read them from memory, which is
        the only place of temporary ones. Other streams can be resumed in another process.
        """
        self.draining = True
        await self.readiness_checks.until_noticed()
        self.refuses_work = True
        log.info("draining: %d answers are running", registry.running_count())
        with suppress(TimeoutError):
            async with asyncio.timeout(settings.DRAIN_SECONDS):
                while not self.shutting_down and self._has_work():  # noqa: ASYNC110  (many ends)
                    await asyncio.sleep(DRAIN_CHECK_SECONDS)

    def _has_work(self) -> bool:
        is_writing = bool(self.starting or self.unsettled or registry.running_count())
        return is_writing or any(map(registry.find, self.subscribers.generation_ids()))

    def begin_shutdown(self) -> asyncio.Task[None]:
        """Begin to interrupt what runs, once; the returned task ends when everything is stored."""
        self.draining = self.refuses_work = self.shutting_down = True
        self._shutdown = self._shutdown or asyncio.create_task(self._shut_down())
        return self._shutdown

    async def settle(self) -> None:
        """Store the cost of ended temporary answers; what cannot be stored now is retried later.

        Answers that end while others are being stored are stored together afterwards.
        """
        clock = asyncio.get_running_loop().time
        called_at = clock()
        async with self._settling:
            waiting = dict(self.unsettled)
            if not waiting or self._unsettled_at > called_at:
                return
            try:
                await threads.writer.run(charging.settle_temporary, waiting)
            except DATABASE_ERRORS as error:
                self._unsettled_at = clock()
                log.warning("database error, costs will be saved later: %s", type(error).__name__)
                return
            for generation_id in waiting:
                self.unsettled.pop(generation_id, None)

    async def stop(self) -> None:
        """Shut down, and wait for it. The next process closes what could not be stored in time."""
        await asyncio.shield(self.begin_shutdown())

    async def _shut_down(self) -> None:
        self.close_streams()
        if self.starting:
            await asyncio.wait(self.starting, timeout=STORE_SECONDS / 2)
        generations = registry.running()
        for generation in generations:
            generation.stop("interrupted")
        with suppress(TimeoutError):
            async with asyncio.timeout(STORE_SECONDS):
                await asyncio.gather(*(generation.done() for generation in generations))
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self.worker:
            with suppress(Exception):  # the database may be the reason for the shutdown
                async with asyncio.timeout(UNREGISTER_SECONDS):
                    await threads.writer.run(workers.unregister, self.worker)
        await factory.close()
        await asyncio.to_thread(threads.close_all)

    async def _beat(self) -> None:
        if self.worker is None:
            return
        is_known = await threads.writer.run(workers.record_heartbeat, self.worker)
        now = asyncio.get_running_loop().time()
        if now - self._beat_at > workers.DEAD_AFTER_SECONDS:
            self._silent_until = now
        self._beat_at = now
        if not is_known:
            log.error("this process was considered dead, and another one closed its answers")
            await threads.writer.run(workers.register_again, self.worker)

    async def _close_orphans(self) -> None:
        await self.settle()
        await threads.writer.run(workers.close_orphans, by_heartbeat=self._is_beating)

    @property
    def can_write(self) -> bool:
        """Return False if this process could not write its heartbeat for a while."""
        since = asyncio.get_running_loop().time() - workers.DEAD_AFTER_SECONDS
        return self.worker is None or since < self._beat_at

    @property
    def _is_beating(self) -> bool:
        """Return whether this process has written its heartbeat long enough to judge others'.

        After the database was away, all heartbeats are old.
        """
        now = asyncio.get_running_loop().time()
        since = now - workers.DEAD_AFTER_SECONDS
        return self._silent_until < since < self._beat_at

    async def _clean_up(self) -> None:
        await _run_tasks(tasks_at_any_time)
        await while_steady(self._remove_old)()

    async def _remove_old(self) -> None:
        with isolated_task(workers.prune):
            await threads.writer.run(workers.prune, settings.LOG_KEEP_SECONDS)
        with isolated_task(remove_deleted):
            await _in_batches(partial(remove_deleted, settings.UNDO_SECONDS))
        await threads.writer.run(cleanup.remove_expired)
        await _run_tasks(periodic_tasks)

    async def until_quiet(self, seconds: float) -> None:
        """Wait, at most for so long, until no send is stored: somebody waits for its answer."""
        loop = asyncio.get_running_loop()
        give_up_at = loop.time() + seconds
        while self.starting and (left := give_up_at - loop.time()) > 0:
            await asyncio.wait(self.starting, timeout=left)

    async def _run_background_jobs(self) -> None:
        quiet = partial(self.until_quiet, BACKGROUND_JOBS_SECONDS)
        await run_round_robin(background_jobs, BACKGROUND_JOBS_SECONDS, quiet)

    async def _purge(self) -> None:
        batches = purge.steps()
        more = True
        while more:
            more = await threads.writer.run(next, batches, False)
            await asyncio.sleep(BETWEEN_BATCHES_SECONDS)


async def _in_batches(remove: Callable[[], int]) -> None:
    """Call `remove` until it removes nothing."""
    count = 1
    while count:
        count = await threads.writer.run(remove)
        await asyncio.sleep(BETWEEN_BATCHES_SECONDS)


_expire = partial(_in_batches, expiry.apply)


async def _run_tasks(tasks: list[Callable[[], object]]) -> None:
    for task in tasks:
        with isolated_task(task):
            await threads.readers.run(task)


async def _run_job(job: Callable[[], Awaitable[None]]) -> None:
    with isolated_task(job):
        await job()


async def _every(seconds: float, work: Callable[[], Awaitable[None]]) -> None:
    while True:
        await asyncio.sleep(seconds)
        try:
            await work()
        except Exception as error:
            log.warning("periodic work failed, will try again: %s", type(error).__name__)


_processes: dict[asyncio.AbstractEventLoop, ServerProcess] = {}


def current() -> ServerProcess:
    """Return the server process of the running event loop."""
    loop = asyncio.get_running_loop()
    if loop not in _processes:
        _processes[loop] = ServerProcess()
    return _processes[loop]


async def end() -> None:
    """Stop the running loop's server process, if there is one."""
    if life := _processes.get(asyncio.get_running_loop()):
        await life.stop()  # still registered: requests that arrive meanwhile must see it draining
        _processes.pop(asyncio.get_running_loop(), None)
