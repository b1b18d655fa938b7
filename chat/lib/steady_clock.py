"""Notice that the system's clock was set, so that nothing is erased or sealed by a wrong time.

A host that sets the clock of a virtual machine to next year for a minute must not end every legal
hold, nor seal days of the audit log that aren't over. What can't be undone waits until the clock
has gone on steadily for an hour, by when a wrong one is usually right again.

What is known is kept in DATA_DIR until the machine is started again, so that processes which start
at the wrong time, such as `manage.py prune`, notice it, too.
"""

import logging
import os
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import wraps
from pathlib import Path

from django.conf import settings

log = logging.getLogger(__name__)

#: Smaller corrections don't matter to what counts in hours and days.
JUMP_SECONDS = 1800.0
SETTLES_SECONDS = 3600.0
FILE_NAME = "clock"
#: Another one after each start of the machine.
BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


def _elapsed() -> float:
    """Return the seconds since the machine started; while it was suspended, too, if known."""
    if hasattr(time, "CLOCK_BOOTTIME"):
        return time.clock_gettime(time.CLOCK_BOOTTIME)
    return time.monotonic()


class ClockRecord:
    """The file with the offset of the clock, and when it was set last."""

    def read(self) -> tuple[float, float | None] | None:
        """Return both; None if there is nothing of this start of the machine."""
        with suppress(OSError, ValueError):
            boot, offset, set_at = self._path().read_text().split()
            if boot == self._boot():
                return float(offset), float(set_at) if set_at != "-" else None
        return None

    def write(self, offset: float, set_at: float | None) -> None:
        """Keep both, if that is possible. Other processes may do the same."""
        temporary = self._path().with_suffix(f".{os.getpid()}")
        with suppress(OSError):
            text = f"{self._boot()} {offset!r} {'-' if set_at is None else repr(set_at)}\n"
            with open(
                os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w"
            ) as file:
                file.write(text)
            temporary.replace(self._path())

    def _path(self) -> Path:
        return Path(settings.DATA_DIR) / FILE_NAME

    def _boot(self) -> str:
        return BOOT_ID.read_text().strip()


class SteadyClock:
    """Compare the time with one that nobody can set."""

    def __init__(
        self,
        now: Callable[[], float] = time.time,
        elapsed: Callable[[], float] = _elapsed,
        record: ClockRecord | None = None,
    ) -> None:
        self._now, self._elapsed, self._record = now, elapsed, record
        self._offset = now() - elapsed()
        self._set_at: float | None = None
        self._is_known = record is None

    def is_steady(self) -> bool:
        """Return False for some time after the clock was set."""
        if not self._is_known:
            self._recall()
        elapsed = self._elapsed()
        offset = self._now() - elapsed
        jump = offset - self._offset
        if abs(jump) > JUMP_SECONDS:
            self._offset, self._set_at = offset, elapsed
            self._keep()
            log.error(
                "the clock was set by %+.0f s: nothing is erased or sealed for %.0f minutes",
                jump,
                SETTLES_SECONDS / 60,
            )
        return self._set_at is None or elapsed - self._set_at >= SETTLES_SECONDS

    def _recall(self) -> None:
        """Go on with what an earlier process knew."""
        self._is_known = True
        if self._record and (known := self._record.read()):
            self._offset, self._set_at = known
        else:
            self._keep()

    def _keep(self) -> None:
        if self._record:
            self._record.write(self._offset, self._set_at)


system_clock = SteadyClock(record=ClockRecord())


def while_steady(task: Callable[[], Awaitable[None]]) -> Callable[[], Awaitable[None]]:
    """Return the task, which does nothing for some time after the clock was set."""

    @wraps(task)
    async def checked() -> None:
        if system_clock.is_steady():
            await task()

    return checked
