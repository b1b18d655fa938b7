"""Each person's work stands in a queue of their own: others wait for one piece of it, not for many.

Whatever a queue is for, it has one object of `PersonQueues`. A queue lasts as long as somebody
stands in it.
"""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from weakref import WeakValueDictionary

from chat.errors import RateLimitExceeded
from chat.lib import metrics

RETRY_SECONDS = 2.0


class _Queue:
    def __init__(self) -> None:
        self.turn = asyncio.Lock()  # the first to ask is the first to get it
        self.length = 0  # with the one whose turn it is


class PersonQueues:
    """Queues of at most `longest`, the one whose turn it is among them; 0 is any length.

    `what` names in the metrics what was turned away.
    """

    def __init__(self, what: str = "", longest: int = 0) -> None:
        self._what, self._longest = what, longest
        self._queues: WeakValueDictionary[str, _Queue] = WeakValueDictionary()

    @asynccontextmanager
    async def turn(self, person: str) -> AsyncGenerator[None]:
        """Wait for this person's turn; `RateLimitExceeded` at once if too many of theirs wait."""
        queue = self._queues.setdefault(person, _Queue())
        if self._longest and queue.length >= self._longest:
            metrics.shed(self._what)
            raise RateLimitExceeded(retry_after_seconds=RETRY_SECONDS)
        queue.length += 1
        try:
            async with queue.turn:
                yield
        finally:
            queue.length -= 1
