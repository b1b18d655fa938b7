"""Start, watch and end the process of one worker."""

import asyncio
import logging
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from time import monotonic

from project.serving.listen_address import ListenAddress

log = logging.getLogger(__name__)

ASK_AGAIN_SECONDS = 0.2
#: For a hanging process to write where its threads are.
DUMP_SECONDS = 1.0


class WorkerProcess:
    """The worker with this number. Its process may end and be started again."""

    def __init__(self, number: int, address: ListenAddress, lifeline: int) -> None:
        self.number, self.address = number, address
        self.is_replaced = False  # its end was asked for, and a new process follows at once
        self.wake = asyncio.Event()  # ends the pause before the next start
        self.is_ending = False  # it may stop answering
        self.started_at = 0.0  # monotonic times of the process
        self.heard_at = 0.0  # 0: it has not answered anything yet
        self._lifeline = lifeline
        self._process: asyncio.subprocess.Process | None = None

    def __str__(self) -> str:
        return f"worker {self.number} at {self.address}"

    @property
    def is_running(self) -> bool:
        return self._process is not None and self._process.returncode is None

    @property
    def pid(self) -> int:
        """The running process; 0 if there is none."""
        return self._process.pid if self._process and self.is_running else 0

    @property
    def is_awaited(self) -> bool:
        """Return whether the process should answer, now or when it has started."""
        return self.is_running and not self.is_replaced and not self.is_ending

    async def run(self) -> str:
        """Run a process to its end; return how it ended, in words."""
        self.started_at, self.heard_at = monotonic(), 0.0
        self._process = await asyncio.create_subprocess_exec(
            *_command(self.address, self._lifeline),
            stdin=asyncio.subprocess.DEVNULL,
            pass_fds=[self._lifeline],
            # A terminal's Ctrl+C reaches the supervisor only, which passes it on once.
            start_new_session=True,
        )
        log.info("started %s (pid %d)", self, self._process.pid)
        return _words(await self._process.wait())

    def send(self, number: signal.Signals) -> None:
        if self._process and self.is_running:
            with suppress(ProcessLookupError):
                self._process.send_signal(number)

    async def end(self, within_seconds: float) -> None:
        """End the process: by SIGTERM, or by SIGKILL if that takes too long."""
        if not self._process:
            return
        self.send(signal.SIGTERM)
        try:
            await asyncio.wait_for(self._process.wait(), within_seconds)
        except TimeoutError:
            log.error("%s didn't end within %g s; killing it", self, within_seconds)
            self.send(signal.SIGKILL)
            await self._process.wait()

    async def kill(self) -> None:
        """End a process that hangs."""
        if not self._process:
            return
        # It writes where its threads are (worker.py), even if its event loop is blocked.
        self.send(signal.SIGUSR1)
        with suppress(TimeoutError):
            await asyncio.wait_for(self._process.wait(), DUMP_SECONDS)
        self.send(signal.SIGKILL)  # a stopped process ignores all other signals
        await self._process.wait()

    async def until_ready(self, site_host: str, within_seconds: float) -> bool:
        """Wait until /readyz answers 200; return False if it does not within that time."""
        with suppress(TimeoutError):
            async with asyncio.timeout(within_seconds):
                while not await self._is_ready(site_host):  # noqa: ASYNC110  (another process)
                    await asyncio.sleep(ASK_AGAIN_SECONDS)
                return True
        return False

    async def _is_ready(self, site_host: str) -> bool:
        return await asyncio.to_thread(self.status, "/readyz", site_host) == 200

    def status(self, path: str, site_host: str) -> int:
        """Request `path`; return the status, 0 if there is no answer. It blocks."""
        pid, status = self.pid, self.address.status(path, site_host)
        if status and pid == self.pid:
            self.heard_at = monotonic()
        return status


def _command(address: ListenAddress, lifeline: int) -> Sequence[str]:
    return sys.executable, "-m", "project.serving.worker", str(address), str(lifeline)


def _words(code: int) -> str:
    if code >= 0:
        return f"exit status {code}"
    try:
        return signal.Signals(-code).name
    except ValueError:
        return f"signal {-code}"
