"""Keep the workers running, restart them one after another, and end them.

The supervisor loads neither Django nor the site, so it needs little memory and nothing of the site
can stop it.

| signal | effect |
|---|---|
| SIGTERM | ends the workers, which drain; a second one ends the draining |
| SIGINT | ends the workers without draining |
| SIGHUP | prepares again (database, static files), then restarts one worker after another |
"""

import asyncio
import hashlib
import logging
import os
import signal
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

from project.serving.listen_address import ListenAddress
from project.serving.service_manager import feed_watchdog, notify
from project.serving.worker_process import WorkerProcess
from project.serving.worker_watch import WorkerWatch

log = logging.getLogger(__name__)

#: How long a worker may take after draining: project/lifespan.py ends it then.
SHUTDOWN_SECONDS = 12.0
#: How long a restarted worker may take before the restart of the others is given up.
READY_SECONDS = 120.0
#: The pause before a dead worker is started again doubles up to the longer one, and is short again
#: after it has run for a while.
FIRST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS, STABLE_SECONDS = 0.5, 10.0, 60.0

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Plan:
    """What to run; the command line of `python -m project.serving`."""

    addresses: list[ListenAddress]
    site_host: str
    drain_seconds: float
    #: How long a worker may answer nothing; 0: for ever.
    worker_timeout_seconds: float
    #: The command that prepares database and static files, before each rolling restart.
    prepare: list[str]


class Supervisor:
    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        # Nobody writes into it: that it closes tells the workers that the supervisor is gone.
        lifeline, self._keep_open = os.pipe()
        self._workers = [
            WorkerProcess(number, address, lifeline)
            for number, address in enumerate(plan.addresses, start=1)
        ]
        self._ending = False
        self._restart_wanted = asyncio.Event()
        self._preparing: asyncio.subprocess.Process | None = None
        self._prepared = schema_mark()  # by `manage.py serve`
        self._one_prepares = asyncio.Lock()
        self._had_terminal = _has_terminal()

    async def run(self) -> None:
        """Run until a signal ends it and all workers have ended."""
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGTERM, self._end, signal.SIGTERM)
        loop.add_signal_handler(signal.SIGINT, self._end, signal.SIGINT)
        loop.add_signal_handler(signal.SIGHUP, self._hang_up)
        helpers = [
            asyncio.create_task(self._report_ready()),
            asyncio.create_task(self._restart_when_asked()),
            asyncio.create_task(feed_watchdog()),
            *(asyncio.create_task(self._watch(worker)) for worker in self._workers),
        ]
        await asyncio.gather(*(self._keep_running(worker) for worker in self._workers))
        for task in helpers:
            task.cancel()
        await asyncio.gather(*helpers, return_exceptions=True)
        log.info("all workers have ended")

    @property
    def _end_seconds(self) -> float:
        return self._plan.drain_seconds + SHUTDOWN_SECONDS

    async def _keep_running(self, worker: WorkerProcess) -> None:
        pause = FIRST_PAUSE_SECONDS
        while not self._ending:
            worker.wake.clear()
            began = monotonic()
            words = await worker.run()
            if self._ending or worker.is_replaced:
                log.info("%s has ended (%s)", worker, words)
                worker.is_replaced, pause = False, FIRST_PAUSE_SECONDS
                continue
            if monotonic() - began > STABLE_SECONDS:
                pause = FIRST_PAUSE_SECONDS
            log.error("%s died (%s); starting it again in %g s", worker, words, pause)
            await _pause(worker.wake, pause)
            pause = min(2 * pause, LONGEST_PAUSE_SECONDS)
            await self._prepare_if_changed()

    async def _watch(self, worker: WorkerProcess) -> None:
        plan = self._plan
        await WorkerWatch(worker, plan.site_host, plan.worker_timeout_seconds).run()

    async def _report_ready(self) -> None:
        for worker in self._workers:
            while not await worker.until_ready(self._plan.site_host, READY_SECONDS):
                log.error("%s isn't ready; its log says why", worker)
        log.info("ready: all workers answer")
        notify("READY=1")

    async def _restart_when_asked(self) -> None:
        while True:
            await self._restart_wanted.wait()
            self._restart_wanted.clear()
            notify(f"RELOADING=1\nMONOTONIC_USEC={int(monotonic() * 1_000_000)}")
            await self._restart_all()
            notify("READY=1")

    async def _restart_all(self) -> None:
        log.info("restarting one worker after another")
        if not await self._prepare():
            log.error("the preparation failed; the workers go on as they are")
            return
        for worker in self._workers:
            if self._ending:
                return
            worker.is_replaced = worker.is_running
            worker.wake.set()
            await worker.end(self._end_seconds)
            if not await worker.until_ready(self._plan.site_host, READY_SECONDS):
                log.error(
                    "%s isn't ready after its restart; the next ones are not restarted", worker
                )
                return
        log.info("all workers are restarted")

    async def _prepare_if_changed(self) -> None:
        """Migrate before a dead worker starts with the code of a version that was just installed.

        Between `git pull` and the reload, the files are newer than the database.
        """
        async with self._one_prepares:
            if self._prepared != schema_mark() and not self._ending:
                log.info("the installed version is a new one; preparing it")
                await self._prepare()

    async def _prepare(self) -> bool:
        mark = schema_mark()
        self._preparing = await asyncio.create_subprocess_exec(
            *self._plan.prepare, stdin=asyncio.subprocess.DEVNULL
        )
        is_prepared = await self._preparing.wait() == 0
        if is_prepared:
            self._prepared = mark
        return is_prepared

    def _end(self, number: signal.Signals) -> None:
        """Pass on the first signal. Later ones end the draining."""
        if self._ending:
            number = signal.SIGTERM
        else:
            log.info("%s: ending the workers", number.name)
            notify("STOPPING=1")
            asyncio.get_running_loop().call_later(self._end_seconds, self._kill)
        self._ending = True
        if self._preparing and self._preparing.returncode is None:
            self._preparing.terminate()
        for worker in self._workers:
            worker.is_ending = True
            worker.wake.set()
            worker.send(number)

    def _kill(self) -> None:
        for worker in self._workers:
            if worker.is_running:
                log.error("%s didn't end within %g s; killing it", worker, self._end_seconds)
                worker.send(signal.SIGKILL)

    def _hang_up(self) -> None:
        """Restart; but end if it was the terminal that went away."""
        if self._had_terminal and not _has_terminal():
            self._end(signal.SIGTERM)
        else:
            self._restart_wanted.set()


def _has_terminal() -> bool:
    with suppress(OSError, ValueError):
        return os.tcgetpgrp(sys.stdin.fileno()) >= 0
    return False


async def _pause(wake: asyncio.Event, seconds: float) -> None:
    with suppress(TimeoutError):
        await asyncio.wait_for(wake.wait(), seconds)


def schema_mark() -> str:
    """Return a digest that changes with the migrations of the release, the libraries' included."""
    names = sorted(path.name for path in (ROOT / "chat" / "migrations").glob("[0-9]*.py"))
    digest = hashlib.sha256("\n".join(names).encode())
    lock = ROOT / "requirements.lock"
    if lock.exists():
        digest.update(lock.read_bytes())
    return digest.hexdigest()
