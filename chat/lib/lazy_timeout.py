"""Limit many short waits of one task with a single timer.

`asyncio.timeout` sets and cancels a timer for each wait, which often costs more than the wait. Here
a timer that fires early checks the deadline and is set again.
"""

import asyncio
from collections.abc import Awaitable
from typing import TypeVar

T = TypeVar("T")


class LazyTimeout:
    """A time limit for the waits of the task that creates it. Close it after the last one."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._timer: asyncio.TimerHandle | None = None
        self._fires_at = 0.0  # loop time
        self._deadline = 0.0
        task = asyncio.current_task()
        assert task  # noqa: S101  (only tasks wait)
        self._task = task
        self._is_waiting = self._has_fired = False

    async def wait(self, awaitable: Awaitable[T], deadline: float) -> T:
        """Return the result of `awaitable`; raise `TimeoutError` at `deadline`, in loop time."""
        asked_before = self._task.cancelling()
        self._deadline = deadline
        if self._timer is None or deadline < self._fires_at:
            self._set_timer()
        self._is_waiting = True
        try:
            return await awaitable
        except asyncio.CancelledError:
            if self._has_fired and self._taken_back() <= asked_before:
                raise TimeoutError from None
            raise
        finally:
            self._is_waiting = False
            if self._has_fired:
                self._taken_back()

    def postpone(self, deadline: float) -> None:
        """Move the deadline of the current wait away."""
        self._deadline = deadline

    def close(self) -> None:
        if self._timer:
            self._timer.cancel()
            self._timer = None

    def _set_timer(self) -> None:
        self.close()
        self._fires_at = self._deadline
        self._timer = self._loop.call_at(self._deadline, self._fire)

    def _fire(self) -> None:
        self._timer = None
        if not self._is_waiting:
            return  # the next wait sets it
        if self._loop.time() < self._deadline:
            self._set_timer()
        else:
            self._has_fired = True
            self._task.cancel()

    def _taken_back(self) -> int:
        """Undo our cancellation; return how many others are pending."""
        self._has_fired = False
        return self._task.uncancel()
