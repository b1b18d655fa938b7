"""Find a worker that hangs, and kill it. Nothing else would: the system sees a running process.

A worker hangs if its event loop does not turn: something computes without end, waits for a lock, or
the process is stopped. It still accepts connections, so a proxy goes on sending people to it.
"""

import asyncio
import logging
from concurrent.futures import ThreadPoolExecutor
from time import monotonic

from project.serving.listen_address import ASK_SECONDS
from project.serving.worker_process import WorkerProcess

log = logging.getLogger(__name__)

HEALTH = "/healthz"
#: The longest pause between two questions.
PAUSE_SECONDS = 5.0
#: A worker is killed after so many unanswered questions at least: one says little.
MISSES = 3
#: How long a new process may take until it answers for the first time.
FIRST_ANSWER_SECONDS = 600.0


class WorkerWatch:
    """Asks one worker's health. `timeout_seconds` is the time without an answer; 0: never."""

    def __init__(self, worker: WorkerProcess, site_host: str, timeout_seconds: float) -> None:
        self._worker, self._host, self._timeout = worker, site_host, timeout_seconds
        self._pause = min(PAUSE_SECONDS, timeout_seconds / MISSES)
        # A thread of its own, so that one silent worker delays no question to another.
        self._thread = ThreadPoolExecutor(1, thread_name_prefix=f"watch-{worker.number}")

    async def run(self) -> None:
        """Kill the process whenever it has been silent for too long, until cancelled."""
        try:
            while self._timeout:
                await self._until_silent()
                log.error("%s hasn't answered for %g s; killing it", self._worker, self._timeout)
                await self._worker.kill()
        finally:
            self._thread.shutdown(wait=False, cancel_futures=True)

    async def _until_silent(self) -> None:
        """Return when the worker's process should have answered and has not."""
        worker, pid, misses = self._worker, 0, 0
        while True:
            await asyncio.sleep(self._pause)
            asked_at = monotonic()
            is_heard = await self._is_heard()
            waited = monotonic() - asked_at
            # After a long wait, this process itself was stopped, or the machine was.
            if is_heard or worker.pid != pid or not worker.is_awaited or waited > self._longest:
                pid, misses = worker.pid, 0
                continue
            misses += 1
            if misses >= MISSES and monotonic() >= self._deadline():
                return

    @property
    def _longest(self) -> float:
        return 2 * (ASK_SECONDS + self._pause)

    def _deadline(self) -> float:
        """Return until when the process has to answer."""
        if self._worker.heard_at:
            return self._worker.heard_at + self._timeout
        return self._worker.started_at + max(FIRST_ANSWER_SECONDS, self._timeout)

    async def _is_heard(self) -> bool:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thread, self._worker.status, HEALTH, self._host) > 0
