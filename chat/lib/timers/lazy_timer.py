"""Call a function at a deadline that moves often, with few timers.

Setting and cancelling a timer for each short wait often costs more than the wait. Here a timer that
fires early checks the deadline and is set again.
"""

import asyncio
from collections.abc import Callable


class LazyTimer:
    """Calls `call` once when the deadline is reached. Close it in the end."""

    def __init__(self, call: Callable[[], object]) -> None:
        self._call: Callable[[], object] = call
        self._loop = asyncio.get_running_loop()
        self._timer: asyncio.TimerHandle | None = None
        self._fires_at = 0.0  # loop time
        self._deadline: float | None = None  # loop time

    def set(self, deadline: float) -> None:
        """Set or move the deadline, in loop time."""
        self._deadline = deadline
        if self._timer is None or deadline < self._fires_at:
            self._start(deadline)

    def clear(self) -> None:
        """Take the deadline away."""
        self._deadline = None

    def close(self) -> None:
        self._deadline = None
        # Its owner has it, too, and may have a task with a large result: none waits for the
        # collection of cycles.
        self._call = _do_nothing
        if self._timer:
            self._timer.cancel()
            self._timer = None

    def _start(self, deadline: float) -> None:
        if self._timer:
            self._timer.cancel()
        self._fires_at = deadline
        self._timer = self._loop.call_at(deadline, self._fire)

    def _fire(self) -> None:
        self._timer = None
        deadline = self._deadline
        if deadline is None:
            return  # `set` starts another timer
        if self._loop.time() < deadline:
            self._start(deadline)
        else:
            self._deadline = None
            self._call()


def _do_nothing() -> None:
    pass
