"""Notice that the system's clock was set, so that nothing is erased or sealed by a wrong time.

A host that sets the clock of a virtual machine to next year for a minute must not end every legal
hold, nor seal days of the audit log that aren't over. What can't be undone waits until the clock
has gone on steadily for an hour, by when a wrong one is usually right again.
"""

import logging
import time
from collections.abc import Awaitable, Callable
from functools import wraps

log = logging.getLogger(__name__)

#: Smaller corrections don't matter to what counts in hours and days.
JUMP_SECONDS = 1800.0
SETTLES_SECONDS = 3600.0


def _elapsed() -> float:
    """Return the seconds since the machine started; while it was suspended, too, if known."""
    if hasattr(time, "CLOCK_BOOTTIME"):
        return time.clock_gettime(time.CLOCK_BOOTTIME)
    return time.monotonic()


class SteadyClock:
    """Compare the time with one that nobody can set."""

    def __init__(
        self, now: Callable[[], float] = time.time, elapsed: Callable[[], float] = _elapsed
    ) -> None:
        self._now, self._elapsed = now, elapsed
        self._offset = now() - elapsed()
        self._set_at: float | None = None

    def is_steady(self) -> bool:
        """Return False for some time after the clock was set."""
        elapsed = self._elapsed()
        offset = self._now() - elapsed
        jump = offset - self._offset
        if abs(jump) > JUMP_SECONDS:
            self._offset, self._set_at = offset, elapsed
            log.error(
                "the clock was set by %+.0f s: nothing is erased or sealed for %.0f minutes",
                jump,
                SETTLES_SECONDS / 60,
            )
        return self._set_at is None or elapsed - self._set_at >= SETTLES_SECONDS


system_clock = SteadyClock()


def while_steady(task: Callable[[], Awaitable[None]]) -> Callable[[], Awaitable[None]]:
    """Return the task, which does nothing for some time after the clock was set."""

    @wraps(task)
    async def checked() -> None:
        if system_clock.is_steady():
            await task()

    return checked
