"""Limit many short waits of one task with a single timer (see lazy_timer.py)."""

import asyncio
from collections.abc import Awaitable
from typing import TypeVar

from chat.lib.timers.lazy_timer import LazyTimer

T = TypeVar("T")


class LazyTimeout:
    """A time limit for the waits of the task that creates it. Close it after the last one."""

    def __init__(self) -> None:
        task = asyncio.current_task()
        assert task  # noqa: S101  (only tasks wait)
        self._task = task
        self._timer = LazyTimer(self._cancel)
        self._has_fired = False

    async def wait(self, awaitable: Awaitable[T], deadline: float) -> T:
        """Return the result of `awaitable`; raise `TimeoutError` at `deadline`, in loop time."""
        asked_before = self._task.cancelling()
        self._timer.set(deadline)
        try:
            return await awaitable
        except asyncio.CancelledError:
            if self._has_fired and self._taken_back() <= asked_before:
                raise TimeoutError from None
            raise
        finally:
            self._timer.clear()
            if self._has_fired:
                self._taken_back()

    def close(self) -> None:
        self._timer.close()

    def _cancel(self) -> None:
        self._has_fired = True
        self._task.cancel()

    def _taken_back(self) -> int:
        """Undo our cancellation; return how many others are pending."""
        self._has_fired = False
        return self._task.uncancel()
