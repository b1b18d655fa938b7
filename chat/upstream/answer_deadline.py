"""Time limits for answers of the model provider."""

import asyncio
from collections.abc import Awaitable
from dataclasses import dataclass
from typing import TypeVar

from chat.lib.timers.lazy_timeout import LazyTimeout

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Timeouts:
    """Limits in seconds: one for each kind of wait, and one for the whole answer."""

    connect: float = 5.0
    first_byte: float = 60.0
    idle: float = 30.0  # between bytes
    content: float = 60.0  # between pieces: comments and padding do not count
    answer: float = 600.0


class AnswerDeadline:
    """The deadlines of one answer, by our own clock. Close it at the end."""

    def __init__(self, timeouts: Timeouts) -> None:
        self._timeout = LazyTimeout()
        self._now = asyncio.get_running_loop().time
        self._timeouts = timeouts
        self._ends_at = self._now() + timeouts.answer
        self._byte_by = self._now() + timeouts.first_byte
        self._content_by = self._now() + timeouts.first_byte + timeouts.content

    @property
    def deadline(self) -> float:
        return min(self._byte_by, self._content_by, self._ends_at)

    def saw_bytes(self) -> None:
        self._byte_by = self._now() + self._timeouts.idle

    def saw_content(self) -> None:
        self._content_by = self._now() + self._timeouts.content

    def wait(self, awaitable: Awaitable[T]) -> Awaitable[T]:
        """Return the result of `awaitable`; raise `TimeoutError` at the deadline."""
        return self._timeout.wait(awaitable, self.deadline)

    def close(self) -> None:
        self._timeout.close()
