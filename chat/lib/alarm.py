"""Wake a waiting future at a deadline, with a single timer for many waits.

A timer that is set and cancelled for each wait often costs more than the wait. Here a timer that
fires early checks the deadline and is set again.
"""

import asyncio


class Alarm:
    """The deadline of one waiting reader, one wait at a time. Close it after the last one."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._timer: asyncio.TimerHandle | None = None
        self._fires_at = self._deadline = 0.0  # loop time
        self._waiting: asyncio.Future[None] | None = None

    def watch(self, waiting: "asyncio.Future[None]", deadline: float) -> None:
        """Set the result of `waiting` at `deadline`, in loop time, unless it is done by then."""
        self._waiting, self._deadline = waiting, deadline
        if self._timer is None or deadline < self._fires_at:
            self._set_timer()

    def postpone(self, deadline: float) -> None:
        """Move the deadline of the current wait away."""
        self._deadline = deadline

    def close(self) -> None:
        self._waiting = None
        if self._timer:
            self._timer.cancel()
            self._timer = None

    def _set_timer(self) -> None:
        if self._timer:
            self._timer.cancel()
        self._fires_at = self._deadline
        self._timer = self._loop.call_at(self._deadline, self._fire)

    def _fire(self) -> None:
        self._timer = None
        if self._waiting is None or self._waiting.done():
            return  # the next wait sets it
        if self._loop.time() < self._deadline:
            self._set_timer()
        else:
            self._waiting.set_result(None)
