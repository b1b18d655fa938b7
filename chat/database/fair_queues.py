"""Queue the work of each user separately, so that others wait for one piece of it, not for many.

Each purpose has its own `FairQueues` object. A queue exists as long as it is in use.
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
        self.turn = asyncio.Lock()  # asyncio's locks are first come, first served
        self.length = 0  # including the one being served


class FairQueues:
    """Queues of at most `longest` entries, including the one being served (0: no limit).

    `what` names the refused work in the metrics.
    """

    def __init__(self, what: str = "", longest: int = 0) -> None:
        self._what, self._longest = what, longest
        self._queues: WeakValueDictionary[str, _Queue] = WeakValueDictionary()

    @asynccontextmanager
    async def turn(self, key: str) -> AsyncGenerator[None]:
        """Wait for this turn of the key; raise `RateLimitExceeded` at once if its queue is full."""
        queue = self._queues.setdefault(key, _Queue())
        if self._longest and queue.length >= self._longest:
            metrics.record_shed(self._what)
            raise RateLimitExceeded(retry_after_seconds=RETRY_SECONDS)
        queue.length += 1
        try:
            async with queue.turn:
                yield
        finally:
            queue.length -= 1
